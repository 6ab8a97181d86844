import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ApiMessage } from './message.js';

/** The events of a streamed message, and how many of them come before the end of the last block. */
export interface EventPlan {
  readonly events: readonly WireObject[];
  /** A stream that breaks or stalls does so before this event. */
  readonly breakAt: number;
}

/** Splits a message into stream events, with texts in pieces of `chunkLength` characters. */
export function streamEvents(message: ApiMessage, chunkLength: number): EventPlan {
  const head = [startEvent(message), { type: 'ping' }];
  const blocks = message.content.flatMap((block, index) => blockEvents(block, index, chunkLength));
  const tail = [deltaEvent(message), { type: 'message_stop' }];
  const breakAt = head.length + Math.max(0, blocks.length - 1);
  return { events: [...head, ...blocks, ...tail], breakAt };
}

/** One event as written to the stream. */
export function encodeEvent(event: WireObject): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function startEvent(message: ApiMessage): WireObject {
  const usage = { ...message.usage, output_tokens: 1 };
  return { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } };
}

function deltaEvent({ stop_reason, stop_sequence, usage }: ApiMessage): WireObject {
  return {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence },
    usage: { output_tokens: usage.output_tokens },
  };
}

type Block = ApiMessage['content'][number];

function blockEvents(block: Block, index: number, chunkLength: number): WireObject[] {
  const deltas = deltasOf(block, chunkLength);
  return [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function emptied(block: Block): WireObject {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
  }
}

function deltasOf(block: Block, chunkLength: number): WireObject[] {
  switch (block.type) {
    case 'text':
      return pieces(block.text, chunkLength).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(block.thinking, chunkLength).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return pieces(JSON.stringify(block.input), chunkLength).map((json) => ({
        type: 'input_json_delta',
        partial_json: json,
      }));
  }
}

/** Pieces of a text; surrogate pairs are not split. */
function pieces(text: string, length: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + length;
    const last = text.charCodeAt(end - 1);
    const torn = last >= 0xd800 && last <= 0xdbff;
    const piece = text.slice(from, torn ? end + 1 : end);
    found.push(piece);
    from += piece.length;
  }
  return found;
}
