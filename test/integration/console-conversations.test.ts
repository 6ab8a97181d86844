import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { asKilled, BareClient, eventIn, startEmulatedConsole } from '../support/console.js';

const always = { times: 'any' } as const;
const echo = () => [onUser(undefined, (text) => [say(`echo: ${text}`)], always)];
const dies = () => [onUser(undefined, [die({ code: 3 })], always)];
/** A limit that ends after some seconds. */
const limited = (seconds: number) => () => {
  const text = `limit reached|${Math.ceil(Date.now() / 1000) + seconds}`;
  return [onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], always)];
};

/** A console whose first CLI plays the first scenario, and so on; the last one is for all further ones. */
async function consoleWith(scenarios: readonly (() => Scenario)[], options: ConsoleOptions = {}) {
  let starts = 0;
  const next = () => scenarios[Math.min(starts++, scenarios.length - 1)]?.() ?? [];
  const started = await startEmulatedConsole(next, { limitSpreadMs: 0, ...options });
  const client = await BareClient.connect(started.server);
  const { session } = await client.ask('open', { cwd: started.root });
  client.attach(session);
  return { ...started, client, session, states: () => statesOf(client) };
}

/** Waits for an event, including earlier ones. */
async function seen(client: BareClient, kind: string, wanted: (event: WireObject) => boolean): Promise<void> {
  const isThere = () => client.events.map(eventIn).some((event) => event.kind === kind && wanted(event));
  await expect.poll(isThere, { timeout: 25_000 }).toBe(true);
}

function statesOf(client: BareClient): readonly unknown[] {
  return client.events
    .map(eventIn)
    .filter(({ kind }) => kind === 'state')
    .map(({ state }) => state);
}

describe('a message from a page', () => {
  test('waits for the end of a usage limit without a CLI, and is sent again', async () => {
    const { client, session, states, clis } = await consoleWith([limited(1), echo]);
    await client.ask('send', { content: 'hello' }, { session });
    const waiting = await client.summary(({ state }) => state === 'limited');
    expect(waiting.error).toBeUndefined();
    await seen(client, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    expect(clis).toHaveLength(2);
    expect(states()).not.toContain('ended');
    const notes = client.events.map(eventIn).filter(({ kind }) => kind === 'note');
    expect(notes).toMatchObject([{ code: 'LIMIT_WAITS', text: expect.stringContaining('sent again') }]);
  });

  test('is logged before a CLI gets it, with the id under which it does, and again when it is sent again', async () => {
    const { client, session } = await consoleWith([limited(1), echo]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await seen(client, 'settled', (event) => event.uuid === uuid);
    const steps = client.events.map(eventIn).flatMap(({ kind, uuid: id, as, from, frame }) => {
      if (kind === 'line' && from === 'host' && (frame as WireObject).type === 'user')
        return [['sent', (frame as WireObject).uuid]];
      return id === uuid ? [[kind, as ?? id]] : [];
    });
    const again = steps.findLast(([kind]) => kind === 'sent')?.[1];
    expect(again).not.toBe(uuid);
    expect(steps.filter(([kind]) => kind !== 'begun')).toEqual([
      ['queued', uuid],
      ['handed', uuid],
      ['sent', uuid],
      ['handed', again],
      ['sent', again],
      ['settled', uuid],
    ]);
  });

  test('that no CLI answers ends the session with the reason, after three attempts', async () => {
    const { client, session, clis } = await consoleWith([dies]);
    await client.ask('send', { content: 'hello' }, { session });
    const ended = await client.summary(({ state, error }) => state === 'ended' && error !== undefined);
    expect(ended.error).toContain('3');
    expect(clis).toHaveLength(3);
  });

  test('is dropped if its session is closed while it waits', async () => {
    const { client, session } = await consoleWith([limited(3_600)]);
    await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'limited');
    await client.ask('close', {}, { session });
    await client.summary(({ state, queued }) => state === 'ended' && (queued as unknown[]).length === 0);
  });
});

test.each([
  ['rate-limited', limited(3_600)],
  ['cli-ended', dies],
])('a program gets an error for %s, and nothing is resent', async (kind, scenario) => {
  const { server, root, clis } = await startEmulatedConsole(scenario);
  await using session = await openSession({ remote: server.url, cwd: root });
  expect(await session.send('hello').outcome).toMatchObject({ kind });
  expect(clis).toHaveLength(1);
});

describe('across a server restart', () => {
  const call = { command: 'ls' };
  const asks = () => [onUser(undefined, [useTool('Bash', call, { ask: true }), say('Done.')], always)];

  /** A session with an open prompt, and a second server after the first was stopped or killed. */
  async function restarted(how: 'stopped' | 'killed', next: () => Scenario) {
    const { client, session, server, stateFolder, root } = await consoleWith([asks]);
    await client.ask('send', { content: 'go' }, { session });
    const { prompt } = eventIn(await client.event('prompt')) as { prompt: { id: string } };
    const folder = how === 'killed' ? await asKilled(stateFolder) : stateFolder;
    if (how === 'stopped') await server.close();
    const after = await startEmulatedConsole(next, { stateFolder: folder, roots: [root] });
    const back = await BareClient.connect(after.server);
    expect(back.messages.find(({ type }) => type === 'sessions')).toMatchObject({
      sessions: [{ state: 'parked', prompts: [{ id: prompt.id, headline: 'Bash: ls' }] }],
    });
    back.attach(session);
    return { back, session, prompt: prompt.id, clis: after.clis };
  }

  test('an answer to a call that is not repeated is reported', async () => {
    const { back, session, prompt } = await restarted('stopped', echo);
    const answer = { prompt, answer: { answer: 'deny', reason: 'not here' } } as const;
    await back.ask('answer', answer, { session });
    await seen(back, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: Your earlier request'));
    await seen(back, 'note', ({ code }) => code === 'NOT_REPEATED');
  });

  test('a prompt is dropped when its session is closed', async () => {
    const { back, session, prompt } = await restarted('stopped', echo);
    await back.ask('close', {}, { session });
    await seen(back, 'prompt-settled', (event) => event.prompt === prompt && event.how === 'expired');
  });

  test('a message whose event was lost when the server was killed is in the log when it continues', async () => {
    const { client, session, stateFolder, root } = await consoleWith([limited(3_600)]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'limited');
    const folder = await asKilled(stateFolder);
    const [log = ''] = (await readdir(join(folder, 'sessions', session))).filter((name) =>
      name.endsWith('.trace'),
    );
    const path = join(folder, 'sessions', session, log);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const lost = lines.findIndex((line) => line.includes(String(uuid)));
    expect(lost).toBeGreaterThan(0);
    await writeFile(path, `${lines.slice(0, lost).join('\n')}\n`);
    const after = await startEmulatedConsole(echo, { stateFolder: folder, roots: [root] });
    const back = await BareClient.connect(after.server);
    back.attach(session);
    await seen(back, 'queued', (event) => event.uuid === uuid && event.content === 'hello');
    const by = client.events.map(eventIn).find(({ kind }) => kind === 'queued')?.by;
    expect(back.events.map(eventIn).find(({ kind }) => kind === 'queued')).toMatchObject({ by });
  });

  test('a message that waits for the end of a limit continues', async () => {
    const { client, session, server, stateFolder, root } = await consoleWith([limited(2)]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'limited');
    await server.close();
    const next = { stateFolder, roots: [root], limitSpreadMs: 0 };
    const second = await startEmulatedConsole(echo, next);
    const back = await BareClient.connect(second.server);
    expect(back.messages.find(({ type }) => type === 'sessions')).toMatchObject({
      sessions: [{ state: 'limited', queued: [uuid] }],
    });
    back.attach(session);
    await seen(back, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    await back.summary(({ state }) => state === 'idle');
    await second.server.close();
    // What was spent is kept.
    expect(await readdir(join(stateFolder, 'running'))).toHaveLength(1);
  });

  test('a message that was finished after a restart and is sent again is not reported as lost', async () => {
    const { client, session, server, stateFolder, root } = await consoleWith([limited(2)]);
    const uuid = randomUUID();
    await client.ask('send', { content: 'hello' }, { session, id: uuid });
    await client.summary(({ state }) => state === 'limited');
    await server.close();
    const { server: second } = await startEmulatedConsole(echo, {
      stateFolder,
      roots: [root],
      limitSpreadMs: 0,
    });
    const back = await BareClient.connect(second);
    back.attach(session);
    // The earlier messages are read while the first one has no outcome yet.
    await back.ask('send', { content: 'another' }, { session });
    await seen(back, 'settled', (event) => event.uuid === uuid);
    await back.ask('send', { content: 'hello' }, { session, id: uuid });
    const outcomes = () =>
      back.events
        .map(eventIn)
        .flatMap(({ kind, uuid: of, outcome }) => (kind === 'settled' && of === uuid ? [outcome] : []));
    await expect.poll(() => outcomes().length).toBe(2);
    expect(outcomes()).toMatchObject([{ kind: 'success' }, { kind: 'success' }]);
  });

  test('what continues automatically is checked by the new server', async () => {
    const modes: (string | undefined)[] = [];
    const session = (play: () => Scenario) => ({
      transport: (launch: AskedLaunch) => {
        modes.push(launch.arguments.find((each) => each.startsWith('--permission-mode')));
        return emulateCli(play(), { launch }).transport;
      },
    });
    const first = await startEmulatedConsole([], {
      allowBypass: true,
      limitSpreadMs: 0,
      session: session(limited(2)),
    });
    const client = await BareClient.connect(first.server);
    const open = { cwd: first.root, permissionMode: 'bypassPermissions' };
    const { session: id } = await client.ask('open', open);
    await client.ask('send', { content: 'hello' }, { session: id });
    await client.summary(({ state }) => state === 'limited');
    await first.server.close();
    const { stateFolder, root } = first;
    const next = { stateFolder, roots: [root], limitSpreadMs: 0, session: session(echo) };
    const back = await BareClient.connect((await startEmulatedConsole([], next)).server);
    back.attach(id);
    await seen(back, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    expect(modes).toEqual(['--permission-mode=bypassPermissions', '--permission-mode=default']);
  });

  test('a program’s prompt expires, because its hooks and tools are gone', async () => {
    const { server, root, stateFolder } = await startEmulatedConsole(asks);
    await using program = await openSession({ remote: server.url, cwd: root, prompts: 'manual' });
    program.send('go');
    await expect.poll(() => program.prompts.open.length).toBe(1);
    await server.close();
    const after = await startEmulatedConsole(echo, { stateFolder, roots: [root] });
    const back = await BareClient.connect(after.server);
    expect(back.messages.find(({ type }) => type === 'sessions')).toMatchObject({
      sessions: [{ state: 'ended', prompts: [] }],
    });
  });
});
