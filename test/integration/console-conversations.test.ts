import { readdir } from 'node:fs/promises';
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
import { asKilled, BareClient, eventIn, isCliMessage, startEmulatedConsole } from '../support/console.js';

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
    const waiting = await client.summary(({ state }) => state === 'waiting');
    expect(waiting.error).toBeUndefined();
    await seen(client, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    expect(clis).toHaveLength(2);
    expect(states()).not.toContain('ended');
    const notes = client.events.map(eventIn).filter(({ kind }) => kind === 'note');
    expect(notes).toMatchObject([{ code: 'LIMIT_WAITS', text: expect.stringContaining('sent again') }]);
  });

  test('that waits for the end of a limit can be cancelled, and the session parks', async () => {
    const { client, session, clis } = await consoleWith([limited(3_600), echo]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'waiting');
    expect(await client.ask('unsend', { uuid }, { session })).toEqual({ cancelled: true });
    await client.summary(({ state }) => state === 'parked');
    expect(clis).toHaveLength(1);
    await client.ask('send', { content: 'again' }, { session });
    await seen(client, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: again'));
  });

  test('fails at a limit if configured so', async () => {
    const { client, session } = await consoleWith([limited(3_600)], { onLimit: 'fail' });
    await client.ask('send', { content: 'hello' }, { session });
    await seen(client, 'line', isCliMessage('result'));
    await client.summary(({ state }) => state === 'idle');
  });

  test('that got no response when the CLI died is sent to the next one', async () => {
    const { client, session, states, clis } = await consoleWith([dies, echo]);
    await client.ask('send', { content: 'hello' }, { session });
    await seen(client, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    await client.summary(({ state }) => state === 'idle');
    expect(clis).toHaveLength(2);
    expect(states()).not.toContain('ended');
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
    await client.summary(({ state }) => state === 'waiting');
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

  test.each(['stopped', 'killed'] as const)(
    'a prompt of a server that was %s can be answered, and the answer applies when the call is repeated',
    async (how) => {
      const { back, session, prompt, clis } = await restarted(how, asks);
      expect(clis).toHaveLength(0);
      const answer = { prompt, answer: { answer: 'allow' } } as const;
      expect(await back.ask('answer', answer, { session })).toMatchObject({ accepted: true });
      await seen(back, 'prompt-settled', (event) => event.prompt === prompt && event.how === 'answered');
      // The call is repeated, and nobody is asked again.
      await seen(back, 'line', ({ frame }) => JSON.stringify(frame).includes('Done.'));
      const idle = await back.summary(({ state }) => state === 'idle');
      expect(idle.prompts).toEqual([]);
      expect(await back.ask('answer', answer, { session })).toMatchObject({ accepted: false });
      expect(clis).toHaveLength(1);
    },
  );

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

  test('a message that waits for the end of a limit continues', async () => {
    const { client, session, server, stateFolder, root } = await consoleWith([limited(2)]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'waiting');
    await server.close();
    const next = { stateFolder, roots: [root], limitSpreadMs: 0 };
    const second = await startEmulatedConsole(echo, next);
    const back = await BareClient.connect(second.server);
    expect(back.messages.find(({ type }) => type === 'sessions')).toMatchObject({
      sessions: [{ state: 'waiting', queued: [uuid] }],
    });
    back.attach(session);
    await seen(back, 'line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    await back.summary(({ state }) => state === 'idle');
    await second.server.close();
    // What was spent is kept.
    expect(await readdir(join(stateFolder, 'running'))).toHaveLength(1);
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
    await client.summary(({ state }) => state === 'waiting');
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

test('a prompt survives a CLI that dies, and the next one makes the call', async () => {
  const asks = () => [
    onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')], always),
  ];
  const { client, session, clis } = await consoleWith([asks]);
  await client.ask('send', { content: 'go' }, { session });
  const { prompt } = eventIn(await client.event('prompt')) as { prompt: { id: string } };
  clis[0]?.kill('SIGKILL');
  await client.summary(({ state }) => state === 'parked');
  await client.ask('answer', { prompt: prompt.id, answer: { answer: 'allow' } }, { session });
  await seen(client, 'line', ({ frame }) => JSON.stringify(frame).includes('Done.'));
  expect((await client.summary(({ state }) => state === 'idle')).prompts).toEqual([]);
  expect(clis).toHaveLength(2);
});
