import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createSdkMcpServer } from '../../src/entry/compat/mcp/official-server.js';
import { tool as officialTool } from '../../src/entry/compat/mcp/official-tool.js';
import { query } from '../../src/entry/compat/query/query.js';
import type { SDKUserMessage } from '../../src/entry/compat/types/message-types.js';
import type { Options } from '../../src/entry/compat/types/option-types.js';
import type { Query } from '../../src/entry/compat/types/query-types.js';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { AsyncQueue } from '../../src/wire/util/async-queue.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

const anyResult = { toolResult: /[\s\S]*/ };
const option = (label: string) => ({ label, description: `${label} it is` });
const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [option('Red'), option('Green')],
  },
];
const now = tool({
  name: 'now',
  description: 'Tells the time',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `noon in ${city}`,
});
const UNSUPPORTED = {
  code: 'ENDPOINT_UNSUPPORTED',
  message: expect.stringMatching(/CLI 2\.\d+\.\d+ or newer/),
};
const UNREACHABLE = { ...UNSUPPORTED, code: 'CALLBACK_UNREACHABLE' };
const REFUSED_OPTION = { ...UNSUPPORTED, code: 'OPTION_INVALID' };
const WORDS = ['one', 'two', 'three', 'four'];

/**
 * One conversation on each installed CLI, through both entry points. Whatever a version cannot do is refused by
 * name before anything is sent: the expectations follow from the facts, and the CLI shows whether they are true.
 */
describeInstalledClis('a conversation with CLI $version', (cli) => {
  const can = capabilitiesOf(cli);
  const asks = can.has('asksQuestions');
  const rewinds = can.fateOf('rewind_files') === 'served';
  const onQuestion: SessionOptions['onQuestion'] = (form) => form.answer({ 'Which colour?': 'Green' });

  /** A tool that needs permission, an in-process one, a question, and a changed file. */
  const firstTurn = (place: RealPlace, clock: string) => {
    const file = join(place.folders.cwd, 'note.txt');
    place.model.play([
      { reply: toolUse('Bash', { command: 'mkdir made' }) },
      { when: anyResult, reply: toolUse(clock, { city: 'Rome' }) },
      ...(asks
        ? [{ when: { toolResult: /noon in Rome/ }, reply: toolUse('AskUserQuestion', { questions }) }]
        : []),
      { when: { toolResult: asks ? /Green/ : /noon in Rome/ }, reply: toolUse('Read', { file_path: file }) },
      { when: { toolResult: /before/ }, reply: toolUse('Write', { file_path: file, content: 'after\n' }) },
      { when: anyResult, reply: text('remember 42') },
    ]);
    return file;
  };
  /** Files are rewound after a dry run; or the error names the CLIs that can do that. */
  const checkRewind = async (file: string, rewind: (options?: { dryRun: true }) => Promise<unknown>) => {
    const dry = rewind({ dryRun: true });
    if (can.has('dryRunIsHarmless')) expect(await dry).toMatchObject({ canRewind: true });
    else await expect(dry).rejects.toMatchObject(UNSUPPORTED);
    expect(await readFile(file, 'utf8')).toBe('after\n');
    if (rewinds) await rewind();
    else await expect(rewind()).rejects.toMatchObject(UNSUPPORTED);
    expect(await readFile(file, 'utf8')).toBe(rewinds ? 'before\n' : 'after\n');
  };
  const lastWords = (place: RealPlace) => JSON.stringify(place.model.lastRequest()?.messages);

  test('through the main entry point', async () => {
    await using place = await realPlace(cli);
    const asked: string[] = [];
    const options: SessionOptions = {
      onPermission: (prompt) => {
        asked.push(prompt.tool);
        return prompt.allow();
      },
      ...(asks ? { onQuestion } : {}),
    };
    if (!asks) await expect(place.open({ ...options, onQuestion })).rejects.toMatchObject(UNREACHABLE);
    const file = firstTurn(place, 'mcp__clock__now');
    await writeFile(file, 'before\n');
    const mcpServers = { clock: mcpServer('clock', [now]) };
    const session = await place.open({ ...options, mcpServers, enableFileCheckpointing: true });
    expect(session.version).toBe(cli.version);
    const first = session.send('go ahead');
    expect(await first.text()).toBe('remember 42');
    expect(asked).toEqual(['Bash', 'mcp__clock__now', 'Write']);
    expect(existsSync(join(place.folders.cwd, 'made'))).toBe(true);

    const id = String(first.userMessageId);
    await checkRewind(file, (options) => session.rewind(id, options));

    place.model.play([{ reply: stall() }]);
    const endless = session.send('think forever');
    await endless.began;
    await place.model.waitForRequest(({ userText }) => userText.includes('think forever'));
    await session.interrupt();
    expect((await endless.outcome).kind).toBe('interrupted');

    place.model.play([{ reply: text('ok'), times: 'any' }]);
    const outcomes = await Promise.all(WORDS.map((word) => session.send(word).outcome));
    expect(outcomes.map(({ kind }) => kind)).toEqual(WORDS.map(() => 'success'));
    for (const word of ['go ahead', ...WORDS]) expect(lastWords(place)).toContain(word);
    await session.close();

    await using resumed = await place.open({ ...options, resume: session.id });
    place.model.play([{ reply: text('it was 42') }]);
    expect(await resumed.send('what was it?').text()).toBe('it was 42');
    for (const word of ['remember 42', ...WORDS]) expect(lastWords(place)).toContain(word);
  });

  test('through the compat entry point', async () => {
    await using place = await realPlace(cli);
    const { env = {}, cwd = '' } = place.options();
    const asked: string[] = [];
    const clock = officialTool('time', 'Tells the time', { city: z.string() }, async ({ city }) => ({
      content: [{ type: 'text', text: `noon in ${city}` }],
    }));
    const options: Options = {
      pathToClaudeCodeExecutable: cli.path,
      cwd,
      env,
      settingSources: [],
      model: 'sonnet',
      enableFileCheckpointing: true,
      mcpServers: { clock: createSdkMcpServer({ name: 'clock', tools: [clock] }) },
      canUseTool: async (name, input) => {
        asked.push(name);
        if (name !== 'AskUserQuestion') return { behavior: 'allow' };
        return { behavior: 'allow', updatedInput: { ...input, answers: { 'Which colour?': 'Green' } } };
      },
    };
    const file = firstTurn(place, 'mcp__clock__time');
    await writeFile(file, 'before\n');
    const prompted: Options = { ...options, systemPrompt: 'Speak like a sailor.' };
    const takesPrompt = can.has('takesSystemPrompt');
    if (!takesPrompt) await expect(new Program(prompted).end()).rejects.toMatchObject(REFUSED_OPTION);
    const program = new Program(takesPrompt ? prompted : options);
    const id = program.say('go ahead');
    expect(await program.result()).toMatchObject({ subtype: 'success', result: 'remember 42' });
    // The CLI's own prompt is many times as long.
    if (takesPrompt) expect(place.model.lastRequest()?.systemLength).toBeLessThan(3_000);
    expect(asked).toEqual(['Bash', 'mcp__clock__time', ...(asks ? ['AskUserQuestion'] : []), 'Write']);

    await checkRewind(file, (options) => program.query.rewindFiles(id, options));

    place.model.play([{ reply: stall() }]);
    program.say('think forever');
    await place.model.waitForRequest(({ userText }) => userText.includes('think forever'));
    await program.query.interrupt();
    expect(await program.result()).toMatchObject({ subtype: 'error_during_execution' });

    place.model.play([{ reply: text('ok'), times: 'any' }]);
    for (const word of WORDS) program.say(word);
    const rest = await program.end();
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.filter(({ subtype }) => subtype !== 'success')).toEqual([]);
    for (const word of ['go ahead', ...WORDS]) expect(lastWords(place)).toContain(word);

    place.model.play([{ reply: text('it was 42') }]);
    const resumed = new Program({ ...options, resume: String(rest[0]?.session_id) });
    resumed.say('what was it?');
    expect(await resumed.end()).toMatchObject([{ subtype: 'success', result: 'it was 42' }]);
    for (const word of ['remember 42', ...WORDS]) expect(lastWords(place)).toContain(word);
  });

  test('no request that it serves is refused, and none that would hang is sent', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    const usage = session.control('get_context_usage', {}, { deadlineMs: 20_000 });
    if (can.fateOf('get_context_usage') === 'served') expect(await usage).toHaveProperty('totalTokens');
    else await expect(usage).rejects.toMatchObject(UNSUPPORTED);
  });
});

/** The results of a run. */
async function* resultsOf(run: AsyncIterable<unknown>): AsyncGenerator<WireObject> {
  for await (const message of run) if (isObject(message) && message.type === 'result') yield message;
}

/** A program of the official SDK that sends messages at any time, and reads results. */
class Program {
  readonly query: Query;
  readonly #messages = new AsyncQueue<SDKUserMessage>(16);
  readonly #results: AsyncIterator<WireObject>;

  constructor(options: Options) {
    this.query = query({ prompt: this.#messages, options });
    this.#results = resultsOf(this.query);
  }

  /** Gives the id of the message. */
  say(content: string): string {
    const uuid = randomUUID();
    const message = { role: 'user', content } as const;
    this.#messages.push({ type: 'user', message, parent_tool_use_id: null, uuid } as SDKUserMessage);
    return uuid;
  }

  async result(): Promise<unknown> {
    return (await this.#results.next()).value;
  }

  /** Sends nothing more, and returns the remaining results. */
  async end(): Promise<readonly WireObject[]> {
    this.#messages.end();
    const left: WireObject[] = [];
    for (let next = await this.#results.next(); next.done !== true; next = await this.#results.next())
      left.push(next.value);
    return left;
  }
}
