import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import { BareClient, eventIn, isCliMessage, startEmulatedConsole } from '../support/console.js';

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

function statesOf(client: BareClient): readonly unknown[] {
  return client.events
    .map(eventIn)
    .filter(({ kind }) => kind === 'state')
    .map(({ state }) => state);
}

describe('a message of a page', () => {
  test('waits for the end of a usage limit without a CLI, and is sent again', async () => {
    const { client, session, states, clis } = await consoleWith([limited(1), echo]);
    await client.ask('send', { content: 'hello' }, { session });
    const waiting = await client.summary(({ state }) => state === 'waiting');
    expect(waiting.error).toBeUndefined();
    await client.event('line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    expect(clis).toHaveLength(2);
    expect(states()).not.toContain('ended');
    const notes = client.events.map(eventIn).filter(({ kind }) => kind === 'note');
    expect(notes).toMatchObject([{ code: 'LIMIT_WAITS', text: expect.stringContaining('sent again') }]);
  });

  test('that waits for the end of a limit can be taken back, and the session parks', async () => {
    const { client, session, clis } = await consoleWith([limited(3_600), echo]);
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.summary(({ state }) => state === 'waiting');
    expect(await client.ask('unsend', { uuid }, { session })).toEqual({ cancelled: true });
    await client.summary(({ state }) => state === 'parked');
    expect(clis).toHaveLength(1);
    await client.ask('send', { content: 'again' }, { session });
    await client.event('line', ({ frame }) => JSON.stringify(frame).includes('echo: again'));
  });

  test('fails at a limit where that is wanted', async () => {
    const { client, session } = await consoleWith([limited(3_600)], { onLimit: 'fail' });
    await client.ask('send', { content: 'hello' }, { session });
    await client.event('line', isCliMessage('result'));
    await client.summary(({ state }) => state === 'idle');
  });

  test('of which nothing was heard when the CLI died is sent to the next one', async () => {
    const { client, session, states, clis } = await consoleWith([dies, echo]);
    await client.ask('send', { content: 'hello' }, { session });
    await client.event('line', ({ frame }) => JSON.stringify(frame).includes('echo: hello'));
    await client.summary(({ state }) => state === 'idle');
    expect(clis).toHaveLength(2);
    expect(states()).not.toContain('ended');
  });

  test('that no CLI can answer ends the session with the reason, after three of them', async () => {
    const { client, session, clis } = await consoleWith([dies]);
    await client.ask('send', { content: 'hello' }, { session });
    const ended = await client.summary(({ state, error }) => state === 'ended' && error !== undefined);
    expect(ended.error).toContain('3');
    expect(clis).toHaveLength(3);
  });

  test('is lost with a session that is closed while it waits', async () => {
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
])('a program is told of %s, and nothing is done behind its back', async (kind, scenario) => {
  const { server, root, clis } = await startEmulatedConsole(scenario);
  await using session = await openSession({ remote: server.url, cwd: root });
  expect(await session.send('hello').outcome).toMatchObject({ kind });
  expect(clis).toHaveLength(1);
});
