import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistantApiError,
  assistantText,
  assistantToolUse,
} from '../../../../../src/lab/testing/builders/assistant.js';
import { resultSuccess } from '../../../../../src/lab/testing/builders/result.js';
import { blockEvents } from '../../../../../src/lab/testing/builders/stream.js';
import { systemMessage } from '../../../../../src/lab/testing/builders/system.js';
import { toolResult, userMessage } from '../../../../../src/lab/testing/builders/user.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import type { Item, ItemChange } from '../../../../../src/wire/protocol/reading/items.js';
import { MessageFold } from '../../../../../src/wire/protocol/reading/message-fold.js';
import { loadTrace } from '../../../../../src/wire/trace/read/read-trace.js';

function changesOf(messages: readonly WireObject[], fold = new MessageFold()): readonly ItemChange[] {
  return messages.flatMap((message) => fold.take(message));
}

/** The last form of each item, in the order in which they began. */
function itemsOf(changes: readonly ItemChange[]): readonly Item[] {
  return [...new Map(changes.map(({ item }) => [`${item.kind} ${item.id}`, item])).values()];
}

function shown(messages: readonly WireObject[]): readonly Item[] {
  return itemsOf(changesOf(messages)).filter(({ kind }) => kind !== 'answer');
}

const streamed = (event: WireObject, agent: string | null = null): WireObject => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: agent,
});
const start = (id: string, agent: string | null = null) =>
  streamed({ type: 'message_start', message: { id, usage: { input_tokens: 10 } } }, agent);
const block = (given: WireObject, index = 0, agent: string | null = null) =>
  blockEvents(given, index, 3).map((event) => streamed(event, agent));
const stop = () => streamed({ type: 'message_stop' });

async function recorded(version: string): Promise<readonly WireObject[]> {
  const entries = await loadTrace(`test/recordings/${version}/note.trace`);
  return entries.flatMap(({ entry }) =>
    entry.kind === 'line' && entry.from === 'cli' && entry.frame !== undefined ? [entry.frame] : [],
  );
}

describe.each(['2.0.73', '2.1.326'])('a conversation recorded on CLI %s', (version) => {
  it('becomes texts, calls with their results, denials and ends of turns', async () => {
    const items = shown(await recorded(version)).filter(({ kind }) => kind !== 'user' && kind !== 'note');
    expect(items).toMatchObject([
      {
        kind: 'tool',
        name: 'Bash',
        input: { command: 'echo noted > note.txt; cat note.txt' },
        inputText: '{"command":"echo noted > note.txt; cat note.txt"}',
        state: 'done',
        result: 'noted',
      },
      { kind: 'text', text: 'The note is there.', state: 'done' },
      { kind: 'turn-end', failed: false, text: 'The note is there.', tokens: { inputTokens: 20 } },
      { kind: 'tool', name: 'Bash', state: 'failed', result: 'not on this machine' },
      { kind: 'text', state: 'done' },
      { kind: 'denial', tool: 'Bash' },
      { kind: 'turn-end', failed: false },
    ]);
  });

  it('gives the same items without partial messages', async () => {
    const messages = await recorded(version);
    const whole = messages.filter(({ type }) => type !== 'stream_event');
    const lasting = (items: readonly Item[]) => items.map((item) => ({ ...item, inputText: '' }));
    expect(lasting(shown(whole))).toEqual(lasting(shown(messages)));
  });

  it('leaves nothing open wherever it is cut', async () => {
    const messages = await recorded(version);
    for (let length = 0; length <= messages.length; length += 1) {
      const fold = new MessageFold();
      const changes = [...changesOf(messages.slice(0, length), fold), ...fold.end()];
      expect(itemsOf(changes).filter(isOpen)).toEqual([]);
      expect(fold.running).toEqual([]);
      expect(fold.end()).toEqual([]);
    }
  });

  it('shows every text that is still to come, from any message on', async () => {
    const messages = await recorded(version);
    for (let from = 0; from <= messages.length; from += 1) {
      const rest = messages.slice(from);
      const expected = rest.filter(({ type }) => type === 'assistant').flatMap(textsIn);
      const texts = shown(rest).flatMap((item) => (item.kind === 'text' ? [item.text] : []));
      expect(texts).toEqual(expect.arrayContaining(expected));
    }
  });
});

function isOpen(item: Item): boolean {
  if (item.kind === 'task') return item.running;
  return 'state' in item && (item.state === 'writing' || item.state === 'running');
}

function textsIn({ message }: WireObject): readonly string[] {
  const { content } = message as { readonly content: readonly WireObject[] };
  return content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []));
}

describe.each(['2.0.73', '2.1.17', '2.1.326'])('messages captured from CLI %s', (version) => {
  const folder = join('test', 'corpus', version, 'messages');
  const captured = readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => [`${name}/${file}`, join(folder, name, file)] as const),
  );
  const KINDS: Readonly<Record<string, readonly string[]>> = {
    'assistant/text.json': ['answer', 'text'],
    'assistant/text-error.json': ['answer', 'text'],
    'assistant/thinking.json': ['answer', 'thinking'],
    'assistant/tool_use.json': ['answer', 'tool'],
    'assistant/tool_use-of-subagent.json': ['answer', 'tool'],
    'result.success/plain.json': ['turn-end'],
    'result.success/denials.json': ['denial', 'turn-end'],
    'result.error_max_turns/plain.json': ['turn-end'],
    'stream_event/message_start.json': ['answer'],
    'system.api_retry/any.json': ['retry'],
    'system.background_tasks_changed/any.json': ['task'],
    'system.compact_boundary/any.json': ['compaction'],
    'system.init/any.json': [],
    'system.notification/any.json': ['note'],
    'system.permission_denied/any.json': ['denial'],
    'system.status/compacting.json': ['compaction'],
    'system.task_notification/completed.json': ['task'],
    'system.task_progress/any.json': ['task'],
    'system.task_started/any.json': ['task'],
    'transcript_mirror/any.json': [],
    'user/text-of-subagent.json': ['user'],
  };

  it.each(captured)('%s', (name, path) => {
    const changes = new MessageFold().take(JSON.parse(readFileSync(path, 'utf8')));
    const kinds = KINDS[name];
    if (kinds !== undefined) expect(changes.map(({ item }) => item.kind)).toEqual(kinds);
  });
});

describe('a text', () => {
  it('grows as it is written, and is not repeated by its whole message', () => {
    const changes = changesOf([
      start('m'),
      ...block({ type: 'text', text: 'Hello!' }),
      assistantText('Hello!', { id: 'm' }),
      stop(),
    ]);
    const texts = changes.filter(({ item }) => item.kind === 'text');
    expect(texts.map(({ isNew, added, item }) => [isNew, added, 'state' in item && item.state])).toEqual([
      [true, '', 'writing'],
      [false, 'Hel', 'writing'],
      [false, 'lo!', 'writing'],
      [false, '', 'done'],
    ]);
  });

  it('gets the pieces that were lost from its whole message', () => {
    const [, begun = {}, piece = {}] = [start('m'), ...block({ type: 'text', text: 'Hello!' })];
    const changes = changesOf([start('m'), begun, piece, assistantText('Hello!', { id: 'm' })]);
    expect(changes.map(({ added }) => added).join('')).toBe('Hello!');
    expect(changes.at(-1)?.item).toMatchObject({ text: 'Hello!', state: 'done' });
  });

  it('that a failed call left unfinished is cut off when the next answer begins', () => {
    const items = shown([
      start('m'),
      ...block({ type: 'text', text: 'Hello!' }),
      start('n'),
      ...block({ type: 'text', text: 'Hi' }),
      stop(),
    ]);
    expect(items).toMatchObject([
      { text: 'Hello!', state: 'cut-off' },
      { text: 'Hi', state: 'done' },
    ]);
  });

  it('that the CLI wrote after a failure names the error', () => {
    expect(shown([assistantApiError('No credit', 'billing_error')])).toMatchObject([
      { error: 'billing_error' },
    ]);
  });

  it('of several agents that write at the same time stays apart', () => {
    const mine = block({ type: 'text', text: 'mine' });
    const theirs = block({ type: 'text', text: 'theirs' }, 0, 'call');
    const mixed = mine.flatMap((event, at) => [event, ...theirs.slice(at, at + 1)]);
    expect(shown([start('m'), start('n', 'call'), ...mixed])).toMatchObject([
      { agent: null, text: 'mine' },
      { agent: 'call', text: 'theirs' },
    ]);
  });
});

describe('a tool call', () => {
  const use = (id: string, agent: string | null = null) =>
    assistantToolUse('Bash', { command: 'ls' }, { toolUseId: id, parentToolUseId: agent });

  it('is reported once, even if a permission request names it first', () => {
    const fold = new MessageFold();
    expect(fold.call('t', 'Bash', { command: 'ls' })).toMatchObject([
      { isNew: true, item: { state: 'running' } },
    ]);
    expect(changesOf([use('t')], fold).filter(({ item }) => item.kind === 'tool')).toEqual([]);
    expect(fold.running.map(({ id }) => id)).toEqual(['t']);
    expect(fold.take(toolResult('t', 'a'))).toMatchObject([
      { isNew: false, item: { state: 'done', result: 'a' } },
    ]);
    expect(changesOf([use('t')], fold).filter(({ item }) => item.kind === 'tool')).toEqual([]);
  });

  it('without a result is cut off by the end of its turn', () => {
    expect(shown([use('t'), resultSuccess('done')])).toMatchObject([
      { id: 't', state: 'cut-off' },
      { kind: 'turn-end' },
    ]);
  });

  it('of an agent in the background goes on after the turn', () => {
    const messages = [use('agent'), use('inner', 'agent')];
    const inBackground = new MessageFold();
    changesOf([...messages, toolResult('agent', 'started'), resultSuccess('done')], inBackground);
    expect(inBackground.running.map(({ id }) => id)).toEqual(['inner']);
    const inForeground = new MessageFold();
    changesOf([...messages, resultSuccess('done')], inForeground);
    expect(inForeground.running).toEqual([]);
  });

  it('of the API itself ends with a result in the answer', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    ];
    expect(shown([{ type: 'assistant', message: { id: 'm', content } }])).toMatchObject([
      { name: 'web_search', state: 'done', result: [] },
    ]);
  });
});

describe('a to-do list', () => {
  const call = (id: string, name: string, input: WireObject, agent: string | null = null) =>
    assistantToolUse(name, input, { toolUseId: id, parentToolUseId: agent });

  it('follows the calls of both eras', () => {
    const lists = changesOf([
      call('1', 'TodoWrite', { todos: [{ content: 'Look', status: 'in_progress' }] }),
      toolResult('1', 'ok'),
      call('2', 'TaskCreate', { subject: 'Leap' }),
      toolResult('2', 'Task #7 created successfully: Leap'),
      call('3', 'TaskUpdate', { taskId: '7', status: 'completed' }),
      toolResult('3', 'Updated task #7 status'),
    ]).flatMap(({ item }) =>
      item.kind === 'todos' ? [item.todos.map(({ content, status }) => `${content} ${status}`)] : [],
    );
    expect(lists).toEqual([
      ['Look in_progress'],
      ['Look in_progress', 'Leap pending'],
      ['Look in_progress', 'Leap completed'],
    ]);
  });

  it('is not changed by a call that was refused', () => {
    const changes = changesOf([
      call('1', 'TodoWrite', { todos: [{ content: 'Never' }] }),
      toolResult('1', 'No such tool', { isError: true }),
    ]);
    expect(changes.filter(({ item }) => item.kind === 'todos')).toEqual([]);
  });

  it('of a subagent does not replace the one of the conversation', () => {
    const mine = call('1', 'TodoWrite', { todos: [{ content: 'Mine' }] });
    const theirs = call('2', 'TodoWrite', { todos: [{ content: 'Theirs' }] }, 'agent');
    const results = [toolResult('1', 'ok'), toolResult('2', 'ok')];
    const lists = shown([mine, theirs, ...results]).filter(({ kind }) => kind === 'todos');
    expect(lists).toMatchObject([
      { agent: null, todos: [{ content: 'Mine' }] },
      { agent: 'agent', todos: [{ content: 'Theirs' }] },
    ]);
  });
});

describe('a task', () => {
  const started = systemMessage('task_started', {
    task_id: 'a',
    tool_use_id: 't',
    description: 'Search',
    task_type: 'local_agent',
  });

  it('ends with its notification, or with a list that lacks it', () => {
    const ended = systemMessage('task_notification', { task_id: 'a', status: 'failed', summary: 'No' });
    expect(shown([started, ended])).toMatchObject([
      { running: false, status: 'failed', summary: 'No', description: 'Search' },
    ]);
    const list = systemMessage('background_tasks_changed', { tasks: [] });
    expect(shown([started, list])).toMatchObject([{ running: false }]);
  });

  it('that its call waits for is not in the list of background tasks, and runs on', () => {
    const fold = new MessageFold();
    changesOf(
      [
        assistantToolUse('Task', {}, { toolUseId: 't' }),
        started,
        systemMessage('background_tasks_changed', { tasks: [] }),
      ],
      fold,
    );
    expect(fold.tasks).toMatchObject([{ id: 'a', running: true }]);
  });

  it('keeps what was known when its report comes after its end', () => {
    const updated = systemMessage('task_updated', {
      task_id: 'a',
      patch: { status: 'completed', end_time: 1 },
    });
    const report = systemMessage('task_notification', {
      task_id: 'a',
      status: 'completed',
      summary: 'Found',
    });
    const tasks = changesOf([started, updated, report]);
    expect(tasks.map(({ isNew }) => isNew)).toEqual([true, false, false]);
    expect(tasks.at(-1)?.item).toMatchObject({ description: 'Search', summary: 'Found' });
  });
});

describe('what the CLI reports about itself', () => {
  it('is a retry until the next message', () => {
    const fold = new MessageFold();
    fold.take(
      systemMessage('api_retry', {
        attempt: 2,
        max_retries: 10,
        retry_delay_ms: 500,
        error_status: 529,
        error: 'overloaded',
      }),
    );
    expect(fold.retry).toMatchObject({
      attempt: 2,
      maxRetries: 10,
      delayMs: 500,
      status: 529,
      error: 'overloaded',
    });
    fold.take(assistantText('on'));
    expect(fold.retry).toBeUndefined();
  });

  it('is one compaction from its status to its boundary', () => {
    const changes = changesOf([
      systemMessage('status', { status: 'compacting' }),
      systemMessage('status', { status: null }),
      systemMessage('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 9 } }),
    ]);
    expect(itemsOf(changes)).toMatchObject([{ state: 'done', trigger: 'auto', tokensBefore: 9 }]);
  });

  it('is a limit with the time of its end', () => {
    const info = { status: 'rejected', resetsAt: 5, rateLimitType: 'five_hour' };
    expect(shown([{ type: 'rate_limit_event', rate_limit_info: info }])).toMatchObject([
      { kind: 'limit', status: 'rejected', resetsAt: 5_000, type: 'five_hour' },
    ]);
  });

  it('is the output of a slash command, in the form of either era', () => {
    const old = userMessage('<local-command-stdout>42</local-command-stdout>');
    const later = systemMessage('local_command_output', { content: '42' });
    for (const message of [old, later])
      expect(shown([message])).toMatchObject([{ kind: 'note', source: 'command', text: '42' }]);
  });

  it('is a denial once, though the end of the turn repeats it', () => {
    const denial = { tool_name: 'Bash', tool_use_id: 't' };
    const ended = resultSuccess('done', { permission_denials: [{ ...denial, tool_input: {} }] });
    const denials = shown([systemMessage('permission_denied', { ...denial, message: 'No' }), ended]);
    expect(denials.filter(({ kind }) => kind === 'denial')).toMatchObject([
      { call: 't', tool: 'Bash', reason: 'No' },
    ]);
  });
});

it('counts the tokens of a call once, however often they are reported', () => {
  const delta = (output: number) =>
    streamed({ type: 'message_delta', delta: {}, usage: { output_tokens: output } });
  const answers = itemsOf(changesOf([start('m'), delta(5), delta(20)]));
  expect(answers).toMatchObject([{ kind: 'answer', tokens: { inputTokens: 10, outputTokens: 20 } }]);
});

it('forgets the oldest calls of a CLI that never answers them', () => {
  const fold = new MessageFold();
  for (let n = 0; n < 5_000; n += 1) fold.call(`t${n}`, 'Bash', {});
  expect(fold.running).toHaveLength(2_000);
  expect(fold.running.at(-1)?.id).toBe('t4999');
});

// Few ids and many kinds, so that messages refer to each other.
const id = fc.constantFrom('a', 'b', 'c');
const anyBlock = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'thinking'), text: fc.string(), thinking: fc.string() }),
  fc.record({
    type: fc.constant('tool_use'),
    id,
    name: fc.constantFrom('Bash', 'TodoWrite'),
    input: fc.anything(),
  }),
  fc.record({ type: fc.constant('tool_result'), tool_use_id: id, content: fc.anything() }),
  fc.anything(),
);
const anyEvent = fc.oneof(
  fc.record({ type: fc.constant('message_start'), message: fc.record({ id }) }),
  fc.record({ type: fc.constant('content_block_start'), index: fc.nat(2), content_block: anyBlock }),
  fc.record({
    type: fc.constant('content_block_delta'),
    index: fc.nat(2),
    delta: fc.record({ text: fc.string() }),
  }),
  fc.record({ type: fc.constant('message_stop') }),
  fc.anything(),
);
const anyMessage = fc.oneof(
  fc.record({
    type: fc.constantFrom('assistant', 'user'),
    message: fc.record({ id, content: fc.array(anyBlock, { maxLength: 3 }) }),
    parent_tool_use_id: fc.option(id),
  }),
  fc.record({ type: fc.constant('stream_event'), event: anyEvent, parent_tool_use_id: fc.option(id) }),
  fc.record({
    type: fc.constant('system'),
    subtype: fc.constantFrom(
      'task_started',
      'task_updated',
      'task_notification',
      'status',
      'compact_boundary',
      'background_tasks_changed',
    ),
    task_id: id,
    tasks: fc.anything(),
    patch: fc.anything(),
    status: fc.constantFrom('compacting', null),
  }),
  fc.record({ type: fc.constant('result'), usage: fc.anything(), errors: fc.anything() }),
);

it('gives two blocks of an answer two ids, whatever their places are', () => {
  const agent = { parent_tool_use_id: 'a' };
  const start = { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } };
  const thinking = { id: 'a', content: [{ type: 'thinking', thinking: 'Hm.' }] };
  const fold = new MessageFold();
  const messages = [
    { type: 'stream_event', event: start, ...agent },
    { type: 'assistant', message: thinking, ...agent },
  ];
  const items = itemsOf([...changesOf(messages, fold), ...fold.end()]);
  expect(items.map(({ kind }) => kind).sort()).toEqual(['answer', 'text', 'thinking']);
  expect(new Set(items.map(({ id }) => id)).size).toBe(3);
});

it('reads the errors of a result, whatever they are', () => {
  const [{ text } = { text: '' }] = itemsOf(
    changesOf([{ type: 'result', subtype: 'error_during_execution', errors: ['one', { toString: {} }] }]),
  ).filter((item) => item.kind === 'turn-end');
  expect(text).toBe('one\n{"toString":{}}');
});

it('takes messages of any shape in any order, and ends what it began', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 30 }), (messages) => {
      const fold = new MessageFold();
      const changes = [...changesOf(messages, fold), ...fold.end()];
      expect(itemsOf(changes).filter(isOpen)).toEqual([]);
      const open = new Set<string>();
      for (const { item, isNew } of changes) {
        if (item.kind !== 'text' && item.kind !== 'thinking' && item.kind !== 'tool') continue;
        expect(isNew).toBe(!open.has(item.id));
        if (isOpen(item)) open.add(item.id);
        else open.delete(item.id);
      }
    }),
  );
});

it('goes on after the end of a CLI with what its transcript has: whole texts and results, and nothing twice', () => {
  const fold = new MessageFold();
  const half = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } };
  const begun = [
    assistantToolUse('Bash', { command: 'ls' }, { toolUseId: 'call' }),
    start('m1'),
    streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    streamed(half),
  ];
  const before = itemsOf([...changesOf(begun, fold), ...fold.end()]);
  expect(before.filter(({ kind }) => kind === 'tool' || kind === 'text')).toMatchObject([
    { id: 'call', state: 'cut-off' },
    { id: 'm1:0', text: 'half', state: 'cut-off' },
  ]);
  const read = [
    { type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: 'half and half' }] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'call', content: 'README' }] } },
  ];
  const after = changesOf([...read, ...read.slice(1)], fold).filter(({ item }) => item.kind !== 'answer');
  expect(after).toMatchObject([
    { item: { id: 'm1:0', text: 'half and half', state: 'done' } },
    { item: { id: 'call', state: 'done', result: 'README' }, isNew: false },
  ]);
});
