import {
  APICallError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { expect, onTestFinished, test } from 'vitest';
import type { CoxswainProviderOptions } from '../../../../src/bridges/ai-sdk/provider.js';
import { createCoxswain } from '../../../../src/bridges/ai-sdk/provider.js';
import type { EmulatedCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';

const echo: Scenario = [onUser(undefined, (text) => [say(`You said: ${text}`)], { times: 'any' })];

/** A provider whose CLIs play a scenario; `launches` records how each was started. */
function provider(scenario: Scenario = echo, options: CoxswainProviderOptions = {}) {
  const clis: EmulatedCli[] = [];
  const launches: string[][] = [];
  const made = createCoxswain({
    ...options,
    transport: (launch) => {
      launches.push([...launch.arguments]);
      const cli = emulateCli(scenario, { launch });
      clis.push(cli);
      return cli.transport;
    },
  });
  onTestFinished(() => made.close());
  return { model: made('sonnet'), clis, launches, close: () => made.close() };
}

type Message = LanguageModelV4CallOptions['prompt'][number];
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>) {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test('text streams in pieces, with usage and the conversation id', async () => {
  const { model } = provider();
  const { stream } = await model.doStream({ prompt: [user('hello')] });
  const parts = await partsOf(stream);
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
  expect(text).toBe('You said: hello');
  expect(parts[0]).toEqual({ type: 'stream-start', warnings: [] });
  expect(parts.at(-1)).toMatchObject({
    type: 'finish',
    finishReason: { unified: 'stop' },
    usage: { inputTokens: { total: expect.any(Number) }, outputTokens: { total: expect.any(Number) } },
    providerMetadata: { coxswain: { sessionId: expect.any(String), costUsd: expect.any(Number) } },
  });
});

test('the next call continues the conversation, without repeating it', async () => {
  const { model, launches } = provider();
  const first = await model.doGenerate({ prompt: [user('one')] });
  expect(first.content).toEqual([{ type: 'text', text: 'You said: one' }]);
  const second = await model.doGenerate({ prompt: [user('one'), assistant('You said: one'), user('two')] });
  expect(second.content).toEqual([{ type: 'text', text: 'You said: two' }]);
  const { sessionId } = first.providerMetadata?.coxswain ?? {};
  expect(launches[1]).toContain(`--resume=${String(sessionId)}`);
});

test('a conversation from elsewhere is passed as text', async () => {
  const { model, launches } = provider();
  const { content } = await model.doGenerate({ prompt: [user('one'), assistant('other'), user('two')] });
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('Assistant: other') }]);
  expect(launches[0]?.join(' ')).not.toContain('--resume');
});

test('an idle CLI is reused, and ends with the provider', async () => {
  const { model, clis, close } = provider(echo, { idleMs: 60_000 });
  await model.doGenerate({ prompt: [user('one')] });
  await model.doGenerate({ prompt: [user('one'), assistant('You said: one'), user('two')] });
  expect(clis).toHaveLength(1);
  await close();
  expect(await clis[0]?.transport.ended).toBeDefined();
});

test('the CLI’s tools are shown with their results', async () => {
  const scenario = [onUser('go', [useTool('Bash', { command: 'ls' }, { result: 'a b' }), say('done')])];
  const { model } = provider(scenario);
  const { content } = await model.doGenerate({ prompt: [user('go')] });
  expect(content).toEqual([
    expect.objectContaining({ type: 'tool-call', toolName: 'Bash', providerExecuted: true, dynamic: true }),
    expect.objectContaining({ type: 'tool-result', toolName: 'Bash', isError: false }),
    { type: 'text', text: 'done' },
  ]);
});

const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object' as const, properties: { city: { type: 'string' as const } } },
};

test('the caller’s tool is called, and the same turn continues with its result', async () => {
  const scenario = [onUser('go', [mcpTool('ai', 'weather', { city: 'Rome' }), say('Take a hat.')])];
  const { model, clis } = provider(scenario);
  const tools = [weather];
  const first = await model.doGenerate({ prompt: [user('go')], tools });
  expect(first.finishReason.unified).toBe('tool-calls');
  const [call] = first.content;
  if (call?.type !== 'tool-call') throw new Error('no call');
  expect(call).toMatchObject({ toolName: 'weather', input: '{"city":"Rome"}' });
  expect(call.providerExecuted).toBeUndefined();
  const { toolCallId, toolName } = call;
  const second = await model.doGenerate({
    prompt: [
      user('go'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: { city: 'Rome' } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'sunny' } }],
      },
    ],
    tools,
  });
  expect(second.content).toEqual([{ type: 'text', text: 'Take a hat.' }]);
  expect(clis).toHaveLength(1);
  expect(JSON.stringify(clis[0]?.received)).toContain('sunny');
});

test.each([
  [true, 'done'],
  [false, 'denied'],
])('the caller approves or denies a tool of the CLI: %s', async (approved, text) => {
  const scenario = [onUser('go', [useTool('Bash', { command: 'ls' }, { ask: true }), say(text)])];
  const { model, clis } = provider(scenario, { approvals: 'caller' });
  const first = await model.doGenerate({ prompt: [user('go')] });
  const call = first.content.find((part) => part.type === 'tool-call');
  const request = first.content.find((part) => part.type === 'tool-approval-request');
  if (call === undefined || request === undefined) throw new Error('not asked');
  expect(request.toolCallId).toBe(call.toolCallId);
  const { approvalId } = request;
  const { toolCallId, toolName } = call;
  const second = await model.doGenerate({
    prompt: [
      user('go'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved, reason: 'not now' }],
      },
    ],
  });
  expect(second.content.at(-1)).toEqual({ type: 'text', text });
  expect(JSON.stringify(clis[0]?.received).includes('not now')).toBe(!approved);
});

test('an abort ends the turn and its CLI, with its reason', async () => {
  const { model, clis } = provider([onUser('go', [say('begun'), hang()])]);
  const controller = new AbortController();
  const { stream } = await model.doStream({ prompt: [user('go')], abortSignal: controller.signal });
  const reader = stream.getReader();
  await reader.read();
  const reason = new Error('enough');
  controller.abort(reason);
  const read = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  await expect(read()).rejects.toBe(reason);
  expect(await clis[0]?.transport.ended).toBeDefined();
});

test('an abandoned stream ends its CLI', async () => {
  const { model, clis } = provider([onUser('go', [say('begun'), hang()])]);
  const { stream } = await model.doStream({ prompt: [user('go')] });
  await stream.cancel();
  expect(await clis[0]?.transport.ended).toBeDefined();
});

test('an abandoned turn is ended', async () => {
  const scenario = [onUser('go', [mcpTool('ai', 'weather', { city: 'Rome' }), say('never')])];
  const { model, clis } = provider(scenario, { pausedMs: 20 });
  await model.doGenerate({ prompt: [user('go')], tools: [weather] });
  expect(await clis[0]?.transport.ended).toBeDefined();
});

test('turns that wait for the caller end with the provider', async () => {
  const scenario = [onUser('go', [useTool('Bash', { command: 'ls' }, { ask: true }), say('never')])];
  const { model, clis, close } = provider(scenario, { approvals: 'caller' });
  await model.doGenerate({ prompt: [user('go')] });
  await close();
  expect(await clis[0]?.transport.ended).toBeDefined();
});

test('an answer to an unknown turn is refused', async () => {
  const { model } = provider();
  const response = { type: 'tool-approval-response' as const, approvalId: 'gone', approved: true };
  const prompt = [user('go'), assistant('well'), { role: 'tool' as const, content: [response] }];
  await expect(model.doGenerate({ prompt })).rejects.toMatchObject({ code: 'SESSION_ENDED' });
});

test.for([
  [500, true],
  [429, true],
  [401, false],
  [400, false],
] as const)(
  'a failed call to the API is an error of the AI SDK: status %i',
  async ([status, isRetryable]) => {
    const { model } = provider([onUser('go', [apiFailure({ status })])]);
    const error = await model.doGenerate({ prompt: [user('go')] }).catch((thrown: unknown) => thrown);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: status, isRetryable, cause: { code: 'TURN_FAILED' } });
    expect(String(error)).not.toMatch(/\.\.$/);
  },
);

test('other failures are errors', async () => {
  const missing = createCoxswain({ cli: '/nowhere/claude' })('sonnet');
  await expect(missing.doStream({ prompt: [user('go')] })).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' });
});

test('unsupported settings are warnings', async () => {
  const { model } = provider();
  const { warnings } = await model.doGenerate({
    prompt: [user('go')],
    temperature: 0.5,
    toolChoice: { type: 'required' },
  });
  expect(warnings).toMatchObject([
    { type: 'unsupported', feature: 'temperature' },
    { type: 'unsupported', feature: 'toolChoice' },
  ]);
});
