import { describe, expect, it } from 'vitest';
import { fileEdit } from '../../../../console-ui/console/conversation/edits.js';
import { foldLines, NO_CONVERSATION } from '../../../../console-ui/console/model/conversation.js';
import type { Item, ToolItem, WireLine } from '../../../../console-ui/console/model/items.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

let n = 0;
const line = (frame: WireObject, from: 'host' | 'cli' = 'cli'): WireLine => {
  n += 1;
  return { n, at: 1_000 * n, from, frame };
};
const user = (uuid: string, content: unknown) =>
  line({ type: 'user', uuid, message: { role: 'user', content } }, 'host');
const assistant = (id: string, block: WireObject, more: WireObject = {}) =>
  line({
    type: 'assistant',
    message: { id, content: [block], usage: { input_tokens: 7, output_tokens: 3 } },
    ...more,
  });
const toolUse = (id: string, more: WireObject = {}) =>
  assistant(`msg_${id}`, { type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }, more);
const toolResult = (id: string, content: unknown, more: WireObject = {}) =>
  line({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  });
const stream = (event: WireObject, more: WireObject = {}) => line({ type: 'stream_event', event, ...more });
const result = (more: WireObject = {}) =>
  line({
    type: 'result',
    subtype: 'success',
    is_error: false,
    total_cost_usd: 0.5,
    duration_ms: 900,
    usage: {},
    ...more,
  });

const fold = (...lines: readonly WireLine[]) => foldLines(NO_CONVERSATION, lines);
const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind);
const tool = (items: readonly Item[], id: string) => items.find((item) => item.id === id) as ToolItem;

describe('a streamed text', () => {
  const pieces = [
    stream({ type: 'message_start', message: { id: 'm1' } }),
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } }),
  ];

  it('grows with its pieces', () => {
    expect(fold(...pieces).items).toMatchObject([{ kind: 'text', text: 'Hello', state: 'writing' }]);
  });

  it('is shown once when it arrives whole, before or after its stream has stopped', () => {
    const whole = assistant('m1', { type: 'text', text: 'Hello' });
    const stop = stream({ type: 'content_block_stop', index: 0 });
    for (const lines of [
      [whole, stop],
      [stop, whole],
    ]) {
      expect(fold(...pieces, ...lines).items).toMatchObject([{ kind: 'text', text: 'Hello', state: 'done' }]);
    }
  });

  it('keeps the second block of a message apart from the first', () => {
    const { items } = fold(
      ...pieces,
      assistant('m1', { type: 'text', text: 'Hello' }),
      stream({ type: 'content_block_stop', index: 0 }),
      stream({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't1', name: 'Bash' },
      }),
      stream({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"comm' },
      }),
    );
    expect(kinds(items)).toEqual(['text', 'tool']);
    expect(tool(items, 't1')).toMatchObject({ state: 'writing', inputText: '{"comm' });
  });

  it('is the same however its lines are batched', () => {
    const lines = [...pieces, assistant('m1', { type: 'text', text: 'Hello' }), result()];
    const oneByOne = lines.reduce((conversation, each) => foldLines(conversation, [each]), NO_CONVERSATION);
    expect(oneByOne).toEqual(fold(...lines));
  });

  it('ends with its turn if it was cut off', () => {
    expect(fold(...pieces, result()).items[0]).toMatchObject({ state: 'cut-off' });
  });
});

describe('tool calls', () => {
  it('get their results, with the CLI’s additional data', () => {
    const { items } = fold(toolUse('t1'), toolResult('t1', [{ type: 'text', text: 'README' }]));
    expect(tool(items, 't1')).toMatchObject({
      state: 'done',
      input: { command: 'ls' },
      result: [{ type: 'text', text: 'README' }],
    });
  });

  it('fail with an error, and are cut off if their turn ends without a result', () => {
    const { items } = fold(
      toolUse('t1'),
      toolResult('t1', 'no', { is_error: true }),
      toolUse('t2'),
      result(),
    );
    expect([tool(items, 't1').state, tool(items, 't2').state]).toEqual(['failed', 'cut-off']);
  });

  it('contain what their subagents do, at any depth', () => {
    const { items } = fold(
      toolUse('outer'),
      toolUse('inner', { parent_tool_use_id: 'outer' }),
      assistant('m9', { type: 'text', text: 'deep' }, { parent_tool_use_id: 'inner' }),
      toolResult('inner', 'done'),
    );
    expect(kinds(items)).toEqual(['tool']);
    const inner = tool(tool(items, 'outer').children, 'inner');
    expect(inner).toMatchObject({ state: 'done', children: [{ kind: 'text', text: 'deep' }] });
  });

  it('show pictures only from the message itself', () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const elsewhere = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
    const script = { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: 'AAAA' } };
    const { items } = fold(toolUse('t1'), toolResult('t1', [picture, elsewhere, script]));
    expect(tool(items, 't1').result.map(({ type }) => type)).toEqual(['image', 'other', 'other']);
  });
});

describe('user messages', () => {
  it('are shown once although newer CLIs send them back', () => {
    const { items } = fold(
      user('u1', 'Hi'),
      line({ type: 'user', uuid: 'u1', isReplay: true, message: { content: 'Hi' } }),
    );
    expect(items).toMatchObject([{ kind: 'user', id: 'u1', blocks: [{ text: 'Hi' }], state: 'sent' }]);
  });

  it('are shown before their answer, although they were sent earlier', () => {
    const { items } = fold(
      user('u1', 'one'),
      user('u2', 'two'),
      assistant('m1', { type: 'text', text: 'to one' }, { user_message_uuid: 'u1' }),
      result({ uuid: 'r1' }),
      assistant('m2', { type: 'text', text: 'to two' }, { user_message_uuid: 'u2' }),
    );
    expect(items.map(({ id }) => id)).toEqual(['u1', 'm1:0', 'r1', 'u2', 'm2:0']);
  });

  it('are shown where the CLI picks them up, if it reports that', () => {
    const started = line({ type: 'command_lifecycle', command_uuid: 'u2', state: 'started' });
    const { items } = fold(user('u1', 'one'), user('u2', 'two'), result({ uuid: 'r1' }), started);
    expect(items.map(({ id }) => id)).toEqual(['u1', 'r1', 'u2']);
  });

  it('that the CLI made itself are notes in plain words, or nothing if they say nothing new', () => {
    const own = (content: string, more: WireObject = {}) =>
      line({ type: 'user', uuid: content, message: { content }, ...more });
    const { items } = fold(
      own('Something was noticed.', { isSynthetic: true }),
      own('<local-command-stdout>Set model to `opus`</local-command-stdout>', { isReplay: true }),
      own('[Request interrupted by user for tool use]'),
      user('u1', '<command-name>/compact</command-name>\n<command-args>please</command-args>'),
      line({ type: 'user', uuid: 'u2', isMeta: true, message: { content: 'Caveat' } }, 'host'),
    );
    expect(items).toMatchObject([
      { kind: 'note', text: 'Something was noticed.' },
      { kind: 'note', text: 'Set model to `opus`' },
      { kind: 'note', text: '/compact please' },
    ]);
  });
});

describe('the end of a turn', () => {
  it('shows the cost of the turn, even after a restart of the CLI', () => {
    const { turns } = fold(result(), result({ total_cost_usd: 0.75 }), result({ total_cost_usd: 0.1 }));
    expect(turns.map(({ costUsd }) => costUsd)).toEqual([0.5, 0.25, 0.1]);
  });

  it('says why it failed, and distinguishes an interrupt from a failure', () => {
    const { items } = fold(
      result({ subtype: 'error_during_execution', is_error: true, errors: ['no credit'] }),
      result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' }),
    );
    expect(items).toMatchObject([
      { failed: true, text: 'no credit' },
      { failed: false, interrupted: true },
    ]);
  });
});

describe('tasks', () => {
  const started = line({
    type: 'system',
    subtype: 'task_started',
    task_id: 'b1',
    description: 'dev',
    tool_use_id: 't1',
  });
  const listed = (...ids: readonly string[]) =>
    line({
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: ids.map((task_id) => ({ task_id, task_type: 'local_bash', description: 'dev' })),
    });

  it('run in the foreground until the CLI lists them in the background', () => {
    expect(fold(started).tasks.get('b1')).toMatchObject({
      running: true,
      background: false,
      call: 't1',
    });
    expect(fold(started, listed('b1')).tasks.get('b1')).toMatchObject({ running: true, background: true });
  });

  it('have ended when the CLI says so, or no longer lists them', () => {
    const ended = line({
      type: 'system',
      subtype: 'task_notification',
      task_id: 'b1',
      status: 'stopped',
      summary: 's',
    });
    expect(fold(started, ended).tasks.get('b1')).toMatchObject({ running: false, status: 'stopped' });
    expect(fold(started, listed('b1'), listed()).tasks.get('b1')).toMatchObject({ running: false });
  });
});

it('ignores unknown messages', () => {
  const odd: readonly WireObject[] = [
    { type: 'rate_limit_event' },
    { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } },
    { type: 'system', subtype: 'from_the_future' },
    { type: 'stream_event', event: null },
    { type: 'assistant', message: 'text' },
    { type: 'user', message: { content: 7 } },
    { type: 'control_request', request: { subtype: 'can_use_tool' } },
    {},
  ];
  expect(fold(...odd.map((frame) => line(frame))).items).toEqual([]);
});

it('keeps the identity of unchanged items', () => {
  const before = fold(user('u1', 'Hi'), toolUse('t1'));
  const after = foldLines(before, [toolResult('t1', 'x')]);
  expect(after.items[0]).toBe(before.items[0]);
  expect(after.items[1]).not.toBe(before.items[1]);
  expect(tool(before.items, 't1').state).toBe('running');
});

it('shows limits that are close or reached, and API retries', () => {
  const limit = (status: string) => line({ type: 'rate_limit_event', rate_limit_info: { status } });
  const retry = line({
    type: 'system',
    subtype: 'api_retry',
    attempt: 2,
    max_retries: 10,
    error: 'overloaded',
    retry_delay_ms: 4000,
  });
  const close = limit('allowed_warning');
  expect(fold(close, close, limit('rejected'), retry).items).toMatchObject([
    { level: 'warning', text: 'A usage limit is close.' },
    { level: 'warning', text: 'A usage limit is reached.' },
    { level: 'warning', text: 'The API call failed (overloaded); retrying in 4 s (2 of 10).' },
  ]);
});

it('knows what the CLI is doing until it sends something', () => {
  const status = (word: string | null) => line({ type: 'system', subtype: 'status', status: word });
  expect(fold(status('requesting')).activity).toBe('requesting');
  expect(fold(status('requesting'), assistant('m', { type: 'text', text: 'a' })).activity).toBeUndefined();
  expect(fold(status('compacting'), assistant('m', { type: 'text', text: 'a' })).activity).toBe('compacting');
  expect(fold(status('compacting'), status(null)).activity).toBeUndefined();
});

it('shows tools and messages with any name, even inherited property names', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const { items } = fold(
      line({ type: 'system', subtype: name, content: 'x' }),
      assistant('m', { type: 'tool_use', id: 't', name, input: { file_path: '/a' } }),
    );
    expect(items).toMatchObject([{ kind: 'tool', name }]);
    expect(fileEdit({ name, input: { file_path: '/a' } })).toBeUndefined();
  }
});
