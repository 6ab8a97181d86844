import { describe, expect, test } from 'vitest';
import { TextDeltas } from '../../../../../src/host/session/turns/text-deltas.js';
import { UsedIds, userMessage } from '../../../../../src/host/session/turns/user-message.js';

const uuid = () => 'made';

describe('userMessage', () => {
  test('builds one from text and from blocks', () => {
    expect(userMessage('hi', {}, uuid)).toEqual({
      type: 'user',
      message: { role: 'user', content: 'hi' },
      uuid: 'made',
    });
    const blocks = [{ type: 'image' as const, source: {} }];
    expect(userMessage(blocks, { uuid: 'own', priority: 'now' }, uuid)).toEqual({
      type: 'user',
      message: { role: 'user', content: blocks },
      uuid: 'own',
      priority: 'now',
    });
  });

  test('takes a prepared one with its own uuid and keys', () => {
    const message = { role: 'user', content: 'x' } as const;
    const prepared = { type: 'user', message, uuid: 'p', isSynthetic: true } as const;
    expect(userMessage(prepared, {}, uuid)).toEqual(prepared);
  });

  test.each([
    [''],
    [[]],
    [[{ text: 'no type' }]],
    [{ type: 'assistant', message: { role: 'user', content: 'x' } }],
    [{ type: 'user' }],
    [{ type: 'user', message: { role: 'assistant', content: 'x' } }],
    [{ type: 'user', message: { role: 'user' } }],
  ])('refuses %j, which would end the CLI', (input) => {
    expect(() => userMessage(input as string, {}, uuid)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    );
  });
});

test('a uuid is used once; only the latest are remembered', () => {
  const used = new UsedIds(2);
  used.use('a');
  expect(() => used.use('a')).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
  for (const id of ['b', 'c', 'd', 'e']) used.use(id);
  used.use('a');
});

describe('TextDeltas', () => {
  const delta = (text: string, parent: string | null = null) => ({
    type: 'stream_event',
    parent_tool_use_id: parent,
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  });
  const whole = (text: string, parent: string | null = null) => ({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: { content: [{ type: 'text', text }] },
  });
  async function read(...messages: object[]) {
    async function* source() {
      yield* messages as Record<string, unknown>[];
    }
    const seen: string[] = [];
    for await (const { text, agent } of new TextDeltas(source())) seen.push(`${agent ?? 'main'}:${text}`);
    return seen;
  }

  test('gives streamed text once, as it came', async () => {
    expect(await read(delta('He'), delta('llo'), whole('Hello'), { type: 'result' })).toEqual([
      'main:He',
      'main:llo',
    ]);
  });

  test('gives whole blocks where nothing was streamed', async () => {
    expect(await read(whole('one'), whole('two'))).toEqual(['main:one', 'main:two']);
  });

  test('tells where a new block begins', async () => {
    async function* source() {
      yield* [delta('a'), delta('b'), whole('ab'), whole('c'), delta('d', 'task')] as Record<
        string,
        unknown
      >[];
    }
    const blocks: number[] = [];
    for await (const { block } of new TextDeltas(source())) blocks.push(block);
    expect(blocks).toEqual([1, 1, 2, 1]);
  });

  test('tells agents apart', async () => {
    expect(
      await read(delta('a'), delta('b', 'task'), whole('a'), whole('b', 'task'), whole('c', 'other')),
    ).toEqual(['main:a', 'task:b', 'other:c']);
  });

  test('a tool use between streamed text and its message does not repeat the text', async () => {
    const tool = {
      type: 'assistant',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_use', id: 't' }] },
    };
    expect(await read(delta('a'), whole('a'), tool, whole('b'))).toEqual(['main:a', 'main:b']);
  });
});
