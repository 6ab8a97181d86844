import type { Block, Item } from '../model/items.js';

/** All readable text of a row, even if it is collapsed. */
function itemText(item: Item): string {
  switch (item.kind) {
    case 'user':
      return blockTexts(item.blocks);
    case 'tool':
      return [
        item.name,
        JSON.stringify(item.input),
        blockTexts(item.result),
        ...item.children.map(itemText),
      ].join('\n');
    case 'turn-end':
      // The answer has a row of its own.
      return item.failed ? item.text : '';
    default:
      return item.text;
  }
}

function blockTexts(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (block.type === 'text' ? block.text : block.type === 'file' ? block.name : ''))
    .join('\n');
}

/** The words of a search. */
export function findWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether a row contains all words. */
export function hasWords(item: Item, words: readonly string[]): boolean {
  const text = itemText(item).toLowerCase();
  return words.every((word) => text.includes(word));
}
