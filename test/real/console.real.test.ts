import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { isObject, objectsIn, type WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, isCliMessage } from '../support/console.js';
import { startCox } from '../support/cox.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

async function startServer(place: RealPlace, own?: SessionOptions, idleMs?: number) {
  const { cwd: _cwd, ...session } = place.options(own);
  const server = await startConsole({
    idleMs,
    roots: [place.folders.cwd],
    stateFolder: join(place.folders.home, 'state'),
    configDir: join(place.folders.home, '.claude'),
    session,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The summaries in a message of the socket: all sessions, or one that changed. */
function summariesIn({ sessions, session }: WireObject): readonly WireObject[] {
  return [...objectsIn(sessions), ...objectsIn([session])];
}

describeRealClis('a console server', (cli) => {
  test('serves a program: its callbacks, hooks and in-process tools', async () => {
    await using place = await realPlace(cli);
    const server = await startServer(place);
    const happened: string[] = [];
    const clock = tool({
      name: 'now',
      description: 'Tells the time.',
      input: { type: 'object', properties: {} },
      run: () => {
        happened.push('tool');
        return 'half past nine';
      },
    });
    await using session = await openSession({
      remote: server.url,
      cwd: place.folders.cwd,
      mcpServers: { clock: mcpServer('clock', [clock]) },
      hooks: { PreToolUse: [{ run: ({ tool_name: name }) => void happened.push(`hook ${name}`) as never }] },
      onPermission: (prompt) => {
        happened.push(`permission ${prompt.tool}`);
        return prompt.allow();
      },
    });
    place.model.play([
      { when: 'which time', reply: reply([toolUse('mcp__clock__now', {})]) },
      { when: { toolResult: /half past nine/ }, reply: text('It is half past nine.') },
    ]);
    expect(await session.send('which time is it?').text()).toBe('It is half past nine.');
    expect(happened).toEqual(['hook mcp__clock__now', 'permission mcp__clock__now', 'tool']);
    expect(session.version).toBe(cli.version);
    const { mcpServers } = await session.mcp.status();
    expect(mcpServers).toContainEqual(expect.objectContaining({ name: 'clock', status: 'connected' }));
  });

  test('can be used from a terminal', async () => {
    await using place = await realPlace(cli);
    const server = await startServer(place);
    const client = await BareClient.connect(server, { name: 'page' });
    const { session } = await client.ask('open', { cwd: place.folders.cwd, title: 'Greeting' });
    place.model.play([{ when: 'hello', reply: text('Good morning.') }]);
    const state = ['--state', join(place.folders.home, 'state')];
    const cox = async (...args: string[]) => {
      const ran = startCox([...args, ...state]);
      expect(await ran.exitCode).toBe(0);
      return ran.output.out;
    };
    expect(await cox('send', 'Greeting', 'hello', '--wait')).toBe('Good morning.\n');
    expect(await cox('ps')).toContain(`${session.slice(0, 8)}  idle`);
    expect(await cox('logs', 'Greeting')).toMatch(/> hello .*\n.*Good morning\./);
  });

  test('prompts although the user’s settings say not to', async () => {
    await using place = await realPlace(cli);
    const { cwd, home } = place.folders;
    await mkdir(join(home, '.claude'), { recursive: true });
    const settings = { permissions: { defaultMode: 'bypassPermissions' } };
    await writeFile(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
    const server = await startServer(place, { settingSources: ['user'] });
    const client = await BareClient.connect(server, { name: 'page' });
    const { session } = await client.ask('open', { cwd });
    client.attach(session);
    const path = join(cwd, 'new.txt');
    place.model.play([
      { when: 'write', reply: reply([toolUse('Write', { file_path: path, content: 'unasked' })]) },
      { when: { toolResult: /./ }, reply: text('Well.') },
    ]);
    await client.ask('send', { content: 'write' }, { session });
    const { prompt } = eventIn(await client.event('prompt')) as { prompt: { id: string; tool: string } };
    expect(prompt.tool).toBe('Write');
    expect(existsSync(path)).toBe(false);
    await client.ask('answer', { prompt: prompt.id, answer: { answer: 'deny' } }, { session });
    await client.event('line', isCliMessage('result'));
    expect(existsSync(path)).toBe(false);
  });

  test('serves a page: a permission, the history on disk, and a resume after a restart', async () => {
    await using place = await realPlace(cli);
    const server = await startServer(place);
    await writeFile(join(place.folders.cwd, 'notes.txt'), 'old words\n');
    const client = await BareClient.connect(server, { name: 'page' });
    const { session } = await client.ask('open', { cwd: place.folders.cwd });
    client.attach(session);
    place.model.play([
      { when: 'touch it', reply: reply([toolUse('Bash', { command: 'touch made-by-test' })]) },
      { when: { toolResult: /.*/ }, reply: text('Touched.') },
    ]);
    await client.ask('send', { content: 'touch it' }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    expect(prompt).toMatchObject({ kind: 'permission', headline: 'Bash: touch made-by-test' });
    const { id } = prompt as { id: string };
    await client.ask('answer', { prompt: id, answer: { answer: 'allow' } }, { session });
    await client.event('line', isCliMessage('result'));
    await client.ask('setThinking', { tokens: 4_000 }, { session });
    await client.close();
    const later = await BareClient.connect(server, { name: 'page' });
    if (process.platform === 'linux') {
      // What was measured before is in the list that a client gets first; only a change is sent again.
      const measured = (message: WireObject) => summariesIn(message).find(({ memory }) => isObject(memory));
      const memory = measured(await later.ever((message) => measured(message) !== undefined))?.memory;
      expect(memory).toMatchObject({ growing: false, over: false });
      expect((memory as { bytes: number }).bytes).toBeGreaterThan(50 * 1024 ** 2);
    }
    await later.ask('close', {}, { session });
    await server.close();

    const again = await startServer(place);
    const back = await BareClient.connect(again, { name: 'page' });
    const { conversations } = await back.ask('history', { search: 'touch it' });
    expect(conversations).toMatchObject([{ session, cwd: place.folders.cwd }]);
    await back.ask('reopen', {}, { session });
    await back.summary(({ maxThinkingTokens, state }) => state === 'idle' && maxThinkingTokens === 4_000);
    back.attach(session, -1);
    place.model.play([{ when: 'what did I', reply: text('You asked me to touch it.') }]);
    await back.ask('send', { content: 'what did I ask?' }, { session });
    const result = eventIn(await back.event('line', isCliMessage('result')));
    expect(result.frame).toMatchObject({ result: 'You asked me to touch it.' });
    const conversation = String(conversations[0]?.conversation);
    const { session: second } = await back.ask('open', {
      cwd: place.folders.cwd,
      resume: conversation,
      forkSession: true,
    });
    back.attach(second);
    const first = eventIn(await back.next(({ session: of, n }) => of === second && n === 1));
    expect(first).toMatchObject({ earlier: true, from: 'host', frame: { type: 'user' } });
  });

  test('parks an idle session, and the next message continues it', async () => {
    await using place = await realPlace(cli);
    const server = await startServer(place, undefined, 200);
    const client = await BareClient.connect(server, { name: 'page' });
    place.model.play([{ when: /./, reply: text('Hello.'), times: 'any' }]);
    const { session } = await client.ask('open', { cwd: place.folders.cwd });
    await client.ask('send', { content: 'the word is heron' }, { session });
    const parked = await client.summary(({ state, costUsd }) => state === 'parked' && Number(costUsd) > 0);
    await client.ask('send', { content: 'which word?' }, { session });
    const again = await client.summary(
      ({ state, costUsd }) => state === 'parked' && Number(costUsd) > Number(parked.costUsd),
    );
    expect(again.conversation).toBe(parked.conversation);
    const asked = place.model.model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(asked.some((said) => said.includes('which word?') && said.includes('heron'))).toBe(true);
  });

  test("counts a conversation's cost once, whether or not the CLI keeps counting after a resume", async () => {
    await using place = await realPlace(cli);
    const server = await startServer(place);
    const client = await BareClient.connect(server, { name: 'page' });
    place.model.play([{ when: /./, reply: text('Hello.'), times: 'any' }]);
    const { session } = await client.ask('open', { cwd: place.folders.cwd });
    const costAfterTurn = async (before: number) => {
      await client.ask('send', { content: 'hello' }, { session });
      const { costUsd } = await client.summary(
        (summary) => summary.state === 'idle' && Number(summary.costUsd) > before,
      );
      return Number(costUsd);
    };
    const first = await costAfterTurn(0);
    await client.ask('close', {}, { session });
    await client.ask('reopen', {}, { session });
    expect(await costAfterTurn(first)).toBeCloseTo(2 * first, 6);
  });
});
