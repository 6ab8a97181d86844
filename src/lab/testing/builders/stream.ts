import type { Message } from '../../../wire/protocol/catalog/types.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { built, type Overrides } from './identity.js';

/** An event of the model's stream. */
export type ModelEvent = Message<'stream_event'>['event'];

/** Wraps an event of the model's stream as the CLI does. */
export function streamEvent(
  event: ModelEvent,
  overrides?: Overrides<'stream_event'>,
): Message<'stream_event'> {
  return built<'stream_event'>({ type: 'stream_event', event, parent_tool_use_id: null }, overrides);
}

/** The events before a block's assistant message: its start and its deltas, cut into pieces. */
export function blockEvents(block: WireObject, index: number, chunkLength: number): readonly WireObject[] {
  const start = { type: 'content_block_start', index, content_block: emptied(block) };
  const deltas = deltasOf(block, chunkLength).map((delta) => ({ type: 'content_block_delta', index, delta }));
  return [start, ...deltas];
}

function emptied(block: WireObject): WireObject {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
}

function deltasOf(block: WireObject, chunkLength: number): readonly WireObject[] {
  const { type, text, thinking, signature, input } = block;
  if (type === 'text' && typeof text === 'string') {
    return pieces(text, chunkLength).map((piece) => ({ type: 'text_delta', text: piece }));
  }
  if (type === 'thinking' && typeof thinking === 'string') {
    const parts = pieces(thinking, chunkLength).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    return [...parts, { type: 'signature_delta', signature }];
  }
  if (type === 'tool_use' && isObject(input)) {
    const json = pieces(JSON.stringify(input), chunkLength);
    return json.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
  }
  return [];
}

/** Cuts a text by characters, so no surrogate pair is split. */
export function pieces(text: string, length: number): readonly string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
}
