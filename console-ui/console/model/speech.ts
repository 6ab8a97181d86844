import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { number, text } from './blocks.js';
import { change, type Draft, find, put } from './draft.js';
import type { Item, SpeechItem, ToolItem, WireLine } from './items.js';

/** Folds a model message: each of its blocks arrives complete, perhaps after it was streamed. */
export function foldAssistant(draft: Draft, { frame, at, n }: WireLine, parent: string | undefined): void {
  const message = isObject(frame.message) ? frame.message : {};
  const id = text(message.id) ?? `assistant-${n}`;
  const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  for (const block of blocks) {
    const index = draft.finished.get(id) ?? 0;
    draft.finished.set(id, index + 1);
    foldBlock(draft, { block, at, parent, id: speechId(draft, { id, index, parent, block }) });
  }
  if (parent === undefined) noteContext(draft, message.usage);
}

/** The streamed block that a complete block replaces: the one with its index, if it has the same type. */
function speechId(
  draft: Draft,
  { id, index, parent, block }: { id: string; index: number; parent: string | undefined; block: WireObject },
): string {
  const expected = `${id}:${index}`;
  const streamed = find(draft, parent, expected);
  const kind = block.type === 'thinking' ? 'thinking' : 'text';
  return streamed === undefined || streamed.kind === kind ? expected : `${expected}:whole`;
}

interface PlacedBlock {
  readonly block: WireObject;
  readonly at: number;
  readonly parent: string | undefined;
  readonly id: string;
}

function foldBlock(draft: Draft, { block, at, parent, id }: PlacedBlock): void {
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    foldToolUse(draft, { block, at, parent, id: String(block.id) });
    return;
  }
  const speech = speechOf(block, { id, at, streaming: false });
  if (speech === undefined) return;
  const streamed = find(draft, parent, id);
  if (speech.text !== '' || streamed !== undefined)
    put(draft, parent, { ...speech, at: streamed?.at ?? at, text: speech.text });
}

function foldToolUse(draft: Draft, { block, at, parent, id }: PlacedBlock): void {
  const known = find(draft, parent, id);
  const input = isObject(block.input) ? block.input : {};
  const begun: ToolItem =
    known?.kind === 'tool' ? known : newTool({ id, at, name: text(block.name) ?? 'tool' });
  put(draft, parent, {
    ...begun,
    input,
    partialInput: undefined,
    state: begun.state === 'writing' ? 'running' : begun.state,
  });
}

function newTool({ id, at, name }: { id: string; at: number; name: string }): ToolItem {
  return { kind: 'tool', id, at, name, input: {}, state: 'writing', result: [], children: [] };
}

function speechOf(
  block: WireObject,
  { id, at, streaming }: { id: string; at: number; streaming: boolean },
): SpeechItem | undefined {
  if (block.type === 'text') return { kind: 'text', id, at, text: text(block.text) ?? '', streaming };
  if (block.type === 'thinking')
    return { kind: 'thinking', id, at, text: text(block.thinking) ?? '', streaming };
  return undefined;
}

/** Folds a part of a message that is being written. */
export function foldStreamEvent(draft: Draft, { frame, at }: WireLine, parent: string | undefined): void {
  const event = isObject(frame.event) ? frame.event : {};
  const stream = parent ?? '';
  if (event.type === 'message_start') {
    draft.streams.set(stream, text(isObject(event.message) ? event.message.id : undefined) ?? '');
    return;
  }
  const message = draft.streams.get(stream);
  if (message === undefined) return;
  const id = `${message}:${number(event.index)}`;
  if (event.type === 'content_block_start') startBlock(draft, event.content_block, { id, at, parent });
  else if (event.type === 'content_block_delta') growBlock(draft, event.delta, { id, parent });
  else if (event.type === 'content_block_stop') stopBlock(draft, { id, parent });
  else if (event.type === 'message_stop') draft.streams.delete(stream);
}

function startBlock(
  draft: Draft,
  block: unknown,
  { id, at, parent }: { id: string; at: number; parent: string | undefined },
): void {
  if (!isObject(block)) return;
  if (block.type === 'tool_use') {
    const toolId = String(block.id);
    draft.streams.set(id, toolId);
    put(draft, parent, {
      ...newTool({ id: toolId, at, name: text(block.name) ?? 'tool' }),
      partialInput: '',
    });
    return;
  }
  const speech = speechOf(block, { id, at, streaming: true });
  if (speech !== undefined) put(draft, parent, speech);
}

function growBlock(
  draft: Draft,
  delta: unknown,
  { id, parent }: { id: string; parent: string | undefined },
): void {
  if (!isObject(delta)) return;
  const piece = text(delta.text) ?? text(delta.thinking) ?? text(delta.partial_json) ?? '';
  change(draft, parent, draft.streams.get(id) ?? id, (item) => grown(item, piece));
}

/** A block that has already arrived complete accepts no more parts. */
function grown(item: Item, piece: string): Item {
  if (item.kind === 'tool')
    return item.partialInput === undefined ? item : { ...item, partialInput: item.partialInput + piece };
  if (item.kind !== 'text' && item.kind !== 'thinking') return item;
  return item.streaming ? { ...item, text: item.text + piece } : item;
}

function stopBlock(draft: Draft, { id, parent }: { id: string; parent: string | undefined }): void {
  draft.streams.delete(id);
  change(draft, parent, id, (item) =>
    item.kind === 'text' || item.kind === 'thinking' ? { ...item, streaming: false } : item,
  );
}

/** The model's last input and output fill its context. */
function noteContext(draft: Draft, usage: unknown): void {
  if (!isObject(usage)) return;
  const tokens = [
    usage.input_tokens,
    usage.cache_read_input_tokens,
    usage.cache_creation_input_tokens,
    usage.output_tokens,
  ].reduce((sum: number, value) => sum + number(value), 0);
  if (tokens > 0) draft.facts = { ...draft.facts, contextTokens: tokens };
}
