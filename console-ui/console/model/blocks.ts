import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { Block } from './items.js';

/** The content of a message or a tool's result: a text, or a list of blocks. */
export function readBlocks(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map(readBlock);
}

function readBlock(block: WireObject): Block {
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: block.text };
  if (block.type === 'image') return readImage(block);
  if (block.type === 'document') return { type: 'file', name: text(block.title) ?? 'document', json: block };
  if (block.type === 'tool_reference') return { type: 'text', text: text(block.tool_name) ?? '' };
  return { type: 'other', json: block };
}

/** Only images that are in the message itself: a URL would be fetched. */
function readImage(block: WireObject): Block {
  // The Messages API nests the image in `source`; an MCP result has it next to the type.
  const source = isObject(block.source) ? block.source : block;
  const type = text(source.media_type) ?? text(source.mimeType);
  const data = text(source.data);
  if (type === undefined || data === undefined || !PICTURES.has(type)) return { type: 'other', json: block };
  return { type: 'image', source: `data:${type};base64,${data}` };
}

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** The text of blocks, joined. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** A value if it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
