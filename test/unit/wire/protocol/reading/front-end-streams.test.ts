import { EventSchemas } from '@ag-ui/core/schemas';
import { readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import { assistantText, assistantToolUse } from '../../../../../src/lab/testing/builders/assistant.js';
import { resultSuccess } from '../../../../../src/lab/testing/builders/result.js';
import { blockEvents } from '../../../../../src/lab/testing/builders/stream.js';
import { systemMessage } from '../../../../../src/lab/testing/builders/system.js';
import { toolResult } from '../../../../../src/lab/testing/builders/user.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { AgUiStream } from '../../../../../src/wire/protocol/reading/ag-ui-stream.js';
import type { AgUiEvent, UiMessageChunk } from '../../../../../src/wire/protocol/reading/front-end-parts.js';
import { UiMessageStream } from '../../../../../src/wire/protocol/reading/ui-message-stream.js';
import { loadTrace } from '../../../../../src/wire/trace/read/read-trace.js';

async function recorded(version: string): Promise<readonly WireObject[]> {
  const entries = await loadTrace(`test/recordings/${version}/note.trace`);
  return entries.flatMap(({ entry }) =>
    entry.kind === 'line' && entry.from === 'cli' && entry.frame !== undefined ? [entry.frame] : [],
  );
}

/** The messages of each turn. */
function turnsOf(messages: readonly WireObject[]): readonly (readonly WireObject[])[] {
  const ends = messages.flatMap(({ type }, index) => (type === 'result' ? [index + 1] : []));
  return ends.map((end, turn) => messages.slice(turn === 0 ? 0 : ends[turn - 1], end));
}

function chunksOf(messages: readonly WireObject[]): UiMessageChunk[] {
  const stream = new UiMessageStream();
  return messages.flatMap((message) => [...stream.take(message)]);
}

/** The message that the AI SDK itself reads, each part checked by its own schema before. */
async function readByAiSdk(
  chunks: readonly UiMessageChunk[],
): Promise<{ message: UIMessage; errors: string[] }> {
  const schema = uiMessageChunkSchema();
  const errors: string[] = [];
  const checked: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    const validated = await schema.validate?.(JSON.parse(JSON.stringify(chunk)));
    if (validated?.success !== true) throw new Error(`${JSON.stringify(chunk)}: ${String(validated?.error)}`);
    checked.push(validated.value);
  }
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of checked) controller.enqueue(chunk);
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  const onError = (error: unknown) => errors.push(error instanceof Error ? error.message : String(error));
  for await (const read of readUIMessageStream({ stream, onError })) message = read;
  if (message === undefined) throw new Error('No message was read.');
  return { message, errors };
}

function eventsOf(messages: readonly WireObject[], stream = new AgUiStream({ threadId: 't' })): AgUiEvent[] {
  return messages.flatMap((message) => [...stream.take(message)]);
}

/** Every event passes the schemas of AG-UI, and what begins ends, in its run. */
function checkRun(events: readonly AgUiEvent[]): void {
  const open = new Set<string>();
  let isRunning = false;
  for (const event of events) {
    EventSchemas.parse(JSON.parse(JSON.stringify(event)));
    if (event.type === 'RUN_STARTED') expect(isRunning).toBe(false);
    else expect(isRunning, JSON.stringify(event)).toBe(true);
    if (event.type.startsWith('RUN_')) isRunning = event.type === 'RUN_STARTED';
    note(event, open);
    if (!isRunning) expect([...open]).toEqual([]);
  }
  expect(isRunning).toBe(false);
  expect([...open]).toEqual([]);
}

/** What begins must not have begun, and what ends must have. */
function note(event: AgUiEvent, open: Set<string>): void {
  const [, kind = 'RUN', what] = /^(.*)_(START|END|FINISH)(?:ED)?$/.exec(event.type) ?? [];
  if (kind === 'RUN') return;
  const named = event as Partial<Record<'messageId' | 'toolCallId' | 'subagentRunId', string>>;
  const id = `${kind} ${named.messageId ?? named.toolCallId ?? named.subagentRunId}`;
  if (what === 'START') {
    expect(open.has(id), `${id} begins twice`).toBe(false);
    open.add(id);
  } else expect(open.delete(id), `${id} ends without a beginning`).toBe(true);
}

const streamed = (event: WireObject, agent: string | null = null): WireObject => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: agent,
});
const blocks = (given: WireObject, index = 0) => blockEvents(given, index, 3).map((event) => streamed(event));
const begin = (id: string) => streamed({ type: 'message_start', message: { id, usage: {} } });

describe.each(['2.0.73', '2.1.326'])('a conversation recorded on CLI %s', (version) => {
  test('is read by the AI SDK: texts, calls with inputs and outputs, and the end of each turn', async () => {
    const turns = turnsOf(await recorded(version));
    expect(turns.length).toBeGreaterThan(1);
    const [first] = await Promise.all(turns.map(async (turn) => readByAiSdk(chunksOf(turn))));
    expect(first?.errors).toEqual([]);
    expect(first?.message.role).toBe('assistant');
    expect(first?.message.parts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'dynamic-tool',
          toolName: 'Bash',
          state: 'output-available',
          input: expect.objectContaining({ command: 'echo noted > note.txt; cat note.txt' }),
          output: 'noted',
        }),
        expect.objectContaining({ type: 'text', state: 'done' }),
      ]),
    );
    expect(first?.message.metadata).toMatchObject({ tokens: { outputTokens: expect.any(Number) } });
  });

  test('is valid AG-UI, with a run for each turn', async () => {
    const messages = await recorded(version);
    const events = eventsOf(messages);
    checkRun(events);
    expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(turnsOf(messages).length);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_RESULT', content: 'noted', messageId: expect.any(String) }),
    );
  });

  test('that is cut off anywhere ends what is open', async () => {
    const messages = await recorded(version);
    for (let length = 1; length < messages.length; length += 1) {
      const cut = messages.slice(0, length);
      const stream = new AgUiStream({ threadId: 't' });
      const events = [...eventsOf(cut, stream), ...stream.end()];
      if (events.length > 0) checkRun(events);
      const ui = new UiMessageStream();
      const chunks = [...cut.flatMap((message) => [...ui.take(message)]), ...ui.end()];
      if (chunks.length > 0) expect(chunks.at(-1)?.type).toBe('finish');
    }
  });
});

const AGENT = { type: 'tool_use', id: 'agent', name: 'Agent', input: { subagent_type: 'helper' } };
const withAgent = [
  begin('m1'),
  ...blocks(AGENT),
  assistantToolUse('Agent', AGENT.input, { toolUseId: 'agent', id: 'm1' }),
  { ...assistantText('I look.', { id: 'm2' }), parent_tool_use_id: 'agent' },
  {
    ...assistantToolUse('Read', { file: 'a' }, { toolUseId: 'read', id: 'm3' }),
    parent_tool_use_id: 'agent',
  },
  { ...toolResult('read', 'contents'), parent_tool_use_id: 'agent' },
  toolResult('agent', 'It is there.'),
  assistantText('Found.', { id: 'm4' }),
  resultSuccess('Found.'),
].map((message) => message as WireObject);

test('the work of a subagent is its own in AG-UI, and data in the AI SDK', async () => {
  const events = eventsOf(withAgent);
  checkRun(events);
  const started = events.find(({ type }) => type === 'SUBAGENT_STARTED');
  expect(started).toEqual({
    type: 'SUBAGENT_STARTED',
    subagentRunId: 'agent',
    name: 'helper',
    parentToolCallId: 'agent',
  });
  const own = events.filter((event) => 'subagentRunId' in event && event.subagentRunId === 'agent');
  expect(own.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'TEXT_MESSAGE_CONTENT',
      'TOOL_CALL_START',
      'TOOL_CALL_RESULT',
      'SUBAGENT_FINISHED',
    ]),
  );
  const { message, errors } = await readByAiSdk(chunksOf(withAgent));
  expect(errors).toEqual([]);
  const parts = message.parts.filter(({ type }) => type !== 'step-start');
  expect(parts.map(({ type }) => type)).toEqual(['dynamic-tool', 'data-subagent', 'data-subagent', 'text']);
  expect(parts[2]).toMatchObject({ data: { kind: 'tool', name: 'Read', state: 'done' } });
});

test('a subagent that goes on after the result of its call begins again in AG-UI, under another id', () => {
  const later = { ...assistantText('Still looking.', { id: 'm5' }), parent_tool_use_id: 'agent' };
  const messages = [...withAgent.slice(0, -1), later as WireObject, ...withAgent.slice(-1)];
  const events = eventsOf(messages);
  checkRun(events);
  const ids = events.flatMap((event) => (event.type === 'SUBAGENT_STARTED' ? [event.subagentRunId] : []));
  expect(ids).toEqual(['agent', 'agent-2']);
});

test('a failed turn is an error in both', async () => {
  const failed = [
    begin('m1'),
    ...blocks({ type: 'text', text: 'I try' }).slice(0, -1),
    { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'], uuid: 'r' },
  ];
  const { message, errors } = await readByAiSdk(chunksOf(failed));
  expect(errors).toEqual(['Too many turns.']);
  expect(message.parts).toContainEqual(expect.objectContaining({ type: 'text', state: 'done' }));
  const events = eventsOf(failed);
  checkRun(events);
  expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: 'Too many turns.' });
});

test('an interrupted turn is aborted in the AI SDK and cancelled in AG-UI', () => {
  const stopped = [
    assistantText('I wait', { id: 'm1' }),
    { type: 'result', subtype: 'error_during_execution', terminal_reason: 'aborted_streaming', uuid: 'r' },
  ].map((message) => message as WireObject);
  expect(chunksOf(stopped).map(({ type }) => type)).toContain('abort');
  expect(eventsOf(stopped).at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
});

test('what neither has is told all the same: retries, lists and limits', async () => {
  const messages = [
    assistantText('One', { id: 'm1' }),
    systemMessage('api_retry', { attempt: 1, max_retries: 3, retry_delay_ms: 10, error: 'overloaded' }),
    { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', rateLimitType: 'five_hour' } },
    resultSuccess('One'),
  ].map((message) => message as WireObject);
  const { message } = await readByAiSdk(chunksOf(messages));
  expect(message.parts.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['data-retry', 'data-limit', 'text']),
  );
  const events = eventsOf(messages);
  checkRun(events);
  expect(events.flatMap((event) => (event.type === 'CUSTOM' ? [event.name] : []))).toEqual([
    'retry',
    'limit',
  ]);
});

test('what a program adds of its own is in the message and in the run', async () => {
  const ui = new UiMessageStream();
  const stream = new AgUiStream({ threadId: 't' });
  const messages = [assistantText('One', { id: 'm1' }), resultSuccess('One')] as WireObject[];
  const chunks = [
    ...ui.custom('prompt', 'p1', { ask: 1 }),
    ...messages.flatMap((each) => [...ui.take(each)]),
  ];
  const { message } = await readByAiSdk(chunks);
  expect(message.parts[0]).toEqual({ type: 'data-prompt', id: 'p1', data: { ask: 1 } });
  const events = [...stream.custom('prompt', 'p1', { ask: 1 }), ...eventsOf(messages, stream)];
  checkRun(events);
  expect(events[1]).toEqual({ type: 'CUSTOM', name: 'prompt', value: { ask: 1 } });
});
