import { describe, expect, test } from 'vitest';
import { MessageBuffer } from '../../../../../src/host/core/messages/message-buffer.js';
import { type TextDelta, TextDeltas } from '../../../../../src/host/session/turns/text-deltas.js';

const event = (parent: string | null, inner: object) => ({
  type: 'stream_event',
  parent_tool_use_id: parent,
  event: inner,
});
const start = (parent: string | null = null) =>
  event(parent, { type: 'content_block_start', content_block: { type: 'text', text: '' } });
const delta = (text: string, parent: string | null = null) =>
  event(parent, { type: 'content_block_delta', delta: { type: 'text_delta', text } });
const whole = (text: string, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: { content: [{ type: 'text', text }] },
});

function makeBuffer() {
  const watcher = { added() {}, removed() {}, full() {}, drained() {} };
  return new MessageBuffer({ messages: 100, characters: 10_000 }, watcher);
}

async function deltasOf(...messages: object[]) {
  const buffer = makeBuffer();
  for (const message of messages) buffer.push({ ...message }, 1);
  buffer.end();
  const seen: TextDelta[] = [];
  for await (const each of new TextDeltas(buffer)) seen.push(each);
  return seen;
}

async function read(...messages: object[]) {
  return (await deltasOf(...messages)).map(({ text, agent }) => `${agent ?? 'main'}:${text}`);
}

describe('TextDeltas', () => {
  test('returns streamed text once, as it arrived', async () => {
    expect(await read(start(), delta('He'), delta('llo'), whole('Hello'), { type: 'result' })).toEqual([
      'main:He',
      'main:llo',
    ]);
  });

  test('returns whole blocks if nothing was streamed', async () => {
    expect(await read(whole('one'), whole('two'))).toEqual(['main:one', 'main:two']);
  });

  test('a block whose beginning was missed is returned whole, and the next one in pieces', async () => {
    expect(await read(delta('llo'), whole('Hello'), start(), delta('you'), whole('you'))).toEqual([
      'main:Hello',
      'main:you',
    ]);
  });

  test('an interrupted block does not hide the next one', async () => {
    expect(await read(start(), delta('ab'), start(), whole('c'))).toEqual(['main:ab', 'main:c']);
  });

  test('reports where a new block begins', async () => {
    const messages = [start(), delta('a'), delta('b'), whole('ab'), whole('c'), start('task')];
    const deltas = await deltasOf(...messages, delta('d', 'task'));
    expect(deltas.map(({ block }) => block)).toEqual([1, 1, 2, 1]);
  });

  test('distinguishes agents', async () => {
    const streamed = [start(), delta('a'), start('task'), delta('b', 'task')];
    expect(await read(...streamed, whole('a'), whole('b', 'task'), whole('c', 'other'))).toEqual([
      'main:a',
      'task:b',
      'other:c',
    ]);
  });

  test('a tool call between streamed text and its message does not repeat the text', async () => {
    const tool = {
      type: 'assistant',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_use', id: 't' }] },
    };
    expect(await read(start(), delta('a'), whole('a'), tool, whole('b'))).toEqual(['main:a', 'main:b']);
  });

  test('a waiting read ends when return() is called', async () => {
    const reader = new TextDeltas(makeBuffer())[Symbol.asyncIterator]();
    const waiting = reader.next();
    expect(await reader.return()).toEqual({ value: undefined, done: true });
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  test('counts as the only reader', async () => {
    const buffer = makeBuffer();
    buffer.push(whole('one'), 1);
    await new TextDeltas(buffer)[Symbol.asyncIterator]().next();
    await expect(buffer[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'READER_TAKEN' });
  });
});
