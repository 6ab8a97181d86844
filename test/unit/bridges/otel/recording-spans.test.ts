import { expect, test } from 'vitest';
import { OtlpDocument } from '../../../../src/bridges/otel/otlp-document.js';
import { recordingSpans } from '../../../../src/bridges/otel/recording-spans.js';
import type { SpanOptions } from '../../../../src/bridges/otel/spans/conversation-spans.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { spanTree } from '../../../support/span-tree.js';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

async function spansOf(source: string | { readonly text: string }, options?: SpanOptions) {
  const document = new OtlpDocument('1.0.0');
  await recordingSpans(source, document, options);
  const { resourceSpans } = JSON.parse(JSON.stringify(document));
  const spans: OtlpSpan[] = resourceSpans[0].scopeSpans[0].spans;
  return spans;
}

function treeOf(spans: readonly OtlpSpan[]): readonly string[] {
  return spanTree(
    spans.map((span) => ({
      id: span.spanId,
      parent: span.parentSpanId,
      name: span.name,
      start: Number(span.startTimeUnixNano),
      failed: span.status.code === 2,
    })),
  );
}

function attributesOf(spans: readonly OtlpSpan[], name: string): Readonly<Record<string, unknown>> {
  const found = spans.find((span) => span.name === name);
  return Object.fromEntries(
    (found?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
}

const START = '2026-01-01T00:00:00.000Z';

/** A recording of these frames, one per millisecond. */
function recording(...frames: readonly (readonly ['host' | 'cli', WireObject])[]) {
  const header = { v: 1, kind: 'header', startedAt: START, argv: [], platform: 'linux', arch: 'x64' };
  const lines = frames.map(([from, frame], t) => ({ v: 1, kind: 'line', t, from, frame }));
  const entries = [{ ...header, writer: 'a test', redacted: true }, ...lines];
  return { text: `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n` };
}

const user = (content: unknown, more = {}): WireObject => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const assistant = (id: string, content: unknown, more = {}): WireObject => ({
  type: 'assistant',
  message: {
    id,
    model: 'm',
    role: 'assistant',
    content,
    stop_reason: 'end_turn',
    usage: { output_tokens: 3 },
  },
  parent_tool_use_id: null,
  ...more,
});
const call = (id: string, name: string, input = {}) => [{ type: 'tool_use', id, name, input }];
const result = (id: string, more = {}) => [{ type: 'tool_result', tool_use_id: id, content: 'x', ...more }];
const done = (more = {}): WireObject => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'said',
  total_cost_usd: 0.25,
  modelUsage: {
    m: {
      inputTokens: 2,
      outputTokens: 3,
      cacheReadInputTokens: 5,
      cacheCreationInputTokens: 7,
      costUSD: 0.25,
    },
  },
  ...more,
});

test('a real recording: turns, model calls, tools, and the wait for a person', async () => {
  const spans = await spansOf('test/recordings/2.1.326/note.trace');
  expect(treeOf(spans)).toEqual([
    'invoke_agent claude',
    expect.stringMatching(/^ {2}chat /),
    '  execute_tool Bash',
    '    wait_for_person permission',
    expect.stringMatching(/^ {2}chat /),
    'invoke_agent claude',
    expect.stringMatching(/^ {2}chat /),
    '  execute_tool Bash !',
    '    wait_for_person permission',
    expect.stringMatching(/^ {2}chat /),
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  expect(JSON.stringify(spans)).not.toContain('note.txt');
  expect(JSON.stringify(await spansOf('test/recordings/2.1.326/note.trace', { content: true }))).toContain(
    'note.txt',
  );
});

test('the work of a subagent is inside the call that started it', async () => {
  const inner = { parent_tool_use_id: 'toolu_agent' };
  const spans = await spansOf(
    recording(
      ['host', user('go')],
      ['cli', assistant('m1', call('toolu_agent', 'Task', { subagent_type: 'explorer' }))],
      ['cli', assistant('m2', call('toolu_read', 'Read'), inner)],
      ['cli', user(result('toolu_read'), inner)],
      ['cli', assistant('m3', [{ type: 'text', text: 'found' }], inner)],
      ['cli', user(result('toolu_agent'))],
      ['cli', assistant('m4', [{ type: 'text', text: 'said' }])],
      ['cli', done()],
    ),
  );
  expect(treeOf(spans)).toEqual([
    'invoke_agent claude',
    '  chat m',
    '  execute_tool Task',
    '    invoke_agent explorer',
    '      chat m',
    '      execute_tool Read',
    '      chat m',
    '  chat m',
  ]);
  expect(attributesOf(spans, 'invoke_agent claude')).toMatchObject({
    'gen_ai.usage.input_tokens': '14',
    'gen_ai.usage.output_tokens': '3',
    'gen_ai.usage.cache_read.input_tokens': '5',
    'gen_ai.usage.cache_creation.input_tokens': '7',
    'coxswain.cost_usd': 0.25,
    'coxswain.outcome': 'success',
  });
});

test('a background agent continues after its call, until the CLI reports its end', async () => {
  const inner = { parent_tool_use_id: 'toolu_agent' };
  const spans = await spansOf(
    recording(
      ['host', user('go')],
      ['cli', assistant('m1', call('toolu_agent', 'Agent'))],
      ['cli', user(result('toolu_agent'))],
      ['cli', done()],
      ['cli', assistant('m2', [{ type: 'text', text: 'at work' }], inner)],
      ['cli', { type: 'system', subtype: 'task_notification', tool_use_id: 'toolu_agent' }],
      ['host', user('and then')],
      ['cli', done()],
    ),
  );
  expect(treeOf(spans)).toEqual([
    'invoke_agent claude',
    '  chat m',
    '  execute_tool Agent',
    '    invoke_agent subagent',
    '      chat m',
    'invoke_agent claude',
  ]);
});

test('failures are marked, and a tool without a result ends with its turn', async () => {
  const spans = await spansOf(
    recording(
      ['host', user('go')],
      ['cli', { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529 }],
      ['cli', assistant('m1', call('toolu_1', 'Bash'))],
      ['cli', done({ subtype: 'error_max_turns', is_error: true, errors: ['too many'] })],
      ['host', user('and')],
    ),
  );
  expect(treeOf(spans)).toEqual([
    'invoke_agent claude !',
    '  chat m',
    '  execute_tool Bash !',
    'invoke_agent claude',
  ]);
  expect(spans.find(({ name }) => name === 'invoke_agent claude')).toMatchObject({
    status: { code: 2, message: 'too many' },
    events: [{ name: 'api_retry' }],
  });
  expect(attributesOf(spans.toReversed(), 'invoke_agent claude')).toMatchObject({
    'coxswain.outcome': 'unfinished',
  });
});

test('long content is truncated', async () => {
  const frames = recording(['host', user('x'.repeat(100_000))], ['cli', done()]);
  const spans = await spansOf(frames, { content: true, agentName: 'mine' });
  const input = attributesOf(spans, 'invoke_agent mine')['gen_ai.input.messages'];
  expect(String(input).length).toBeLessThan(33_000);
});
