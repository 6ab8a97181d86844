import { findWords } from './item-text.js';

const NAME = 'find';
/** More would not help anyone. */
const MOST = 500;

/** Highlights words in the page if the browser can; the page itself is not changed. */
export function paintWords(frame: HTMLElement | null, text: string): void {
  if (!('highlights' in CSS)) return;
  const words = findWords(text);
  if (frame === null || words.length === 0) {
    CSS.highlights.delete(NAME);
    return;
  }
  CSS.highlights.set(NAME, new Highlight(...rangesIn(frame, words)));
}

function rangesIn(frame: HTMLElement, words: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null && ranges.length < MOST; node = nodes.nextNode()) {
    const lower = (node.nodeValue ?? '').toLowerCase();
    // Characters that change their length in lower case would misplace the marks.
    if (lower.length !== node.nodeValue?.length) continue;
    for (const word of words) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
