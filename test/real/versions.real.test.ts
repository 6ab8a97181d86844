import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createSdkMcpServer } from '../../src/entry/compat/mcp/official-server.js';
import { tool as officialTool } from '../../src/entry/compat/mcp/official-tool.js';
import { query } from '../../src/entry/compat/query/query.js';
import type { SDKUserMessage } from '../../src/entry/compat/types/message-types.js';
import type { Options } from '../../src/entry/compat/types/option-types.js';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { isObject } from '../../src/wire/protocol/frames.js';
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

/**
 * One conversation on each CLI that is installed. Whatever a version cannot do is refused by name before anything is sent:
 * what is expected here follows from the facts, and the CLI shows whether they are true.
 */
describe.each(knownRealClis())('a conversation with CLI $version', (cli) => {
  const can = capabilitiesOf(cli);
  const asks = can.has('asksQuestions');
  const rewinds = can.fateOf('rewind_files') === 'served';

  const callbacks: SessionOptions = {
    onPermission: (prompt) => prompt.allow(),
    ...(asks ? { onQuestion: (form) => form.answer({ 'Which colour?': 'Green' }) } : {}),
  };
  const turnResult = (place: RealPlace) => place.model.model.requests.at(-1)?.toolResults.at(-1)?.text ?? '';

  test('asks about tools and questions, serves a tool, is interrupted, and is resumed', async () => {
    await using place = await realPlace(cli);
    const session = await place.open({ ...callbacks, mcpServers: { clock: mcpServer('clock', [now]) } });
    expect(session.version).toBe(cli.version);
    place.model.play([
      { reply: toolUse('Bash', { command: 'mkdir made' }) },
      { when: anyResult, reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
      { when: { toolResult: /noon in Rome/ }, reply: text('remember 42') },
    ]);
    expect(await session.send('go').text()).toBe('remember 42');
    expect(existsSync(join(place.folders.cwd, 'made'))).toBe(true);
    if (asks) {
      place.model.play([
        { reply: toolUse('AskUserQuestion', { questions }) },
        { when: anyResult, reply: text('noted') },
      ]);
      expect(await session.send('ask me').text()).toBe('noted');
      expect(turnResult(place)).toContain('Green');
    }
    place.model.play([{ reply: stall() }]);
    const endless = session.send('think for ever');
    await endless.began;
    await place.model.model.waitForRequest(({ kind }) => kind === 'main');
    await session.interrupt();
    expect((await endless.outcome).kind).toBe('interrupted');
    place.model.play([{ reply: text('still here') }]);
    expect(await session.send('and now?').text()).toBe('still here');
    const { id } = session;
    await session.close();

    await using resumed = await place.open({ ...callbacks, resume: id });
    place.model.play([{ reply: text('it was 42') }]);
    expect(await resumed.send('what was it?').text()).toBe('it was 42');
    expect(JSON.stringify(place.model.model.requests.at(-1)?.messages)).toContain('remember 42');
  });

  test('four messages at once all come to an end', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open(callbacks);
    place.model.play([{ reply: text('ok'), times: 'any' }]);
    const turns = ['one', 'two', 'three', 'four'].map((word) => session.send(word));
    const outcomes = await Promise.all(turns.map((turn) => turn.outcome));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('success'));
    const said = JSON.stringify(place.model.model.requests.at(-1)?.messages);
    for (const word of ['one', 'two', 'three', 'four']) expect(said).toContain(word);
  });

  test('rewinds files, or says which CLIs do', async () => {
    await using place = await realPlace(cli);
    const file = join(place.folders.cwd, 'note.txt');
    await using session = await place.open({ ...callbacks, enableFileCheckpointing: true });
    await writeFile(file, 'before\n');
    place.model.play([
      { reply: toolUse('Read', { file_path: file }) },
      { when: anyResult, reply: toolUse('Write', { file_path: file, content: 'after\n' }) },
      { when: anyResult, reply: text('changed') },
    ]);
    const turn = session.send('change it');
    await turn.text();
    const id = String(turn.userMessageId);
    const dry = session.rewind(id, { dryRun: true });
    if (can.has('dryRunIsHarmless')) expect(await dry).toMatchObject({ canRewind: true });
    else await expect(dry).rejects.toMatchObject(UNSUPPORTED);
    expect(await readFile(file, 'utf8')).toBe('after\n');
    if (rewinds) {
      await session.rewind(id);
      expect(await readFile(file, 'utf8')).toBe('before\n');
    } else await expect(session.rewind(id)).rejects.toMatchObject(UNSUPPORTED);
  });

  test('no request that it serves is refused, and none that would hang is sent', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open(callbacks);
    const usage = session.control('get_context_usage', {}, { deadlineMs: 20_000 });
    if (can.fateOf('get_context_usage') === 'served') expect(await usage).toHaveProperty('totalTokens');
    else await expect(usage).rejects.toMatchObject(UNSUPPORTED);
  });

  test('a program of the official SDK runs on it', async () => {
    await using place = await realPlace(cli);
    const { env = {}, cwd = '' } = place.options();
    const clock = createSdkMcpServer({
      name: 'clock',
      tools: [
        officialTool('time', 'Tells the time', { city: z.string() }, async ({ city }) => ({
          content: [{ type: 'text', text: `Noon in ${city}` }],
        })),
      ],
    });
    const asked: string[] = [];
    const options: Options = {
      pathToClaudeCodeExecutable: cli.path,
      cwd,
      env,
      settingSources: [],
      model: 'sonnet',
      mcpServers: { clock },
      canUseTool: async (name, input) => {
        asked.push(name);
        if (name !== 'AskUserQuestion') return { behavior: 'allow' };
        return { behavior: 'allow', updatedInput: { ...input, answers: { 'Which colour?': 'Green' } } };
      },
    };
    place.model.play([
      { reply: toolUse('Bash', { command: 'mkdir made' }) },
      { when: anyResult, reply: toolUse('mcp__clock__time', { city: 'Rome' }) },
      ...(asks ? [{ when: anyResult, reply: toolUse('AskUserQuestion', { questions }) }] : []),
      { when: anyResult, reply: text('All done.') },
    ]);
    const first = await results(query({ prompt: 'go ahead', options }));
    expect(first.at(-1)).toMatchObject({ subtype: 'success', result: 'All done.' });
    expect(asked).toEqual(['Bash', 'mcp__clock__time', ...(asks ? ['AskUserQuestion'] : [])]);

    place.model.play([{ reply: text('ok'), times: 'any' }]);
    const resume = String(first.at(-1)?.session_id);
    const words = ['one', 'two', 'three', 'four'];
    const several = query({ prompt: messages(words), options: { ...options, resume } });
    const last = await results(several);
    expect(last.length).toBeGreaterThan(0);
    expect(last.every(({ subtype }) => subtype === 'success')).toBe(true);
    const said = JSON.stringify(place.model.model.requests.at(-1)?.messages);
    for (const word of ['go ahead', ...words]) expect(said).toContain(word);

    place.model.play([{ reply: stall() }]);
    const endless = query({ prompt: messages(['think for ever'], true), options });
    const ended = results(endless, 1);
    await place.model.model.waitForRequest(({ userText }) => userText.includes('think for ever'), {
      timeoutMs: 60_000,
    });
    await endless.interrupt();
    expect(await ended).toHaveLength(1);
    endless.close();
  });
});

/** The results of a run, all of them or the first few. */
async function results(
  run: AsyncIterable<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const message of run) {
    if (isObject(message) && message.type === 'result') found.push({ ...message });
    if (found.length >= most) break;
  }
  return found;
}

/** User messages all at once; `open` keeps the input open after them. */
async function* messages(words: readonly string[], open = false): AsyncIterable<SDKUserMessage> {
  for (const content of words)
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null } as SDKUserMessage;
  if (open) await new Promise(() => {});
}
