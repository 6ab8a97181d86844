import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Login } from '../../src/host/cli/login/login.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { programOf } from '../support/emulated-program.js';
import { ManualClock } from '../support/manual-clock.js';
import { testedVersions } from '../support/tested-versions.js';

const reason = new Error('nobody wants it any more');

async function open(scenario: Scenario, options: SessionOptions = {}, version?: string) {
  const cli = emulateCli(scenario, version === undefined ? {} : { version });
  return openSession({ transport: cli.transport, ...options });
}

describe('an aborted session', () => {
  test('gives turns, calls and the opening the reason', async () => {
    const owner = new AbortController();
    const session = await open([onUser([hang()])], { signal: owner.signal });
    const turn = session.send('go');
    await turn.began;
    const call = session.control('interrupt').catch((error: unknown) => error);
    const text = turn.text().catch((error: unknown) => error);
    owner.abort(reason);
    expect(await turn.outcome).toEqual({ kind: 'aborted', cause: reason });
    expect(await text).toMatchObject({ name: 'AbortError', code: 'TURN_FAILED', cause: reason });
    await call;
    await expect(session.setModel('sonnet')).rejects.toMatchObject({
      name: 'AbortError',
      code: 'SESSION_ENDED',
      cause: reason,
    });
    const opening = open([], { signal: owner.signal });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    await session.close();
  });

  test('an aborted call rejects with the usual name', async () => {
    await using session = await open([]);
    const call = session.control('mcp_status', {}, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toMatchObject({ name: 'AbortError', code: 'REQUEST_ABORTED', cause: reason });
    const settled = session.settled({ signal: AbortSignal.abort(reason) });
    await settled.catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }));
  });
});

describe.each(testedVersions)('a turn with a signal, on %s', (version) => {
  test('is interrupted while it runs, and the session stays open', async () => {
    const owner = new AbortController();
    await using session = await open([onUser([say('a'), hang()]), onUser([say('b')])], {}, version);
    const turn = session.send('one', { signal: owner.signal });
    await turn.began;
    owner.abort(reason);
    expect(await turn.outcome).toMatchObject({ kind: 'aborted', cause: reason });
    expect(getEventListeners(owner.signal, 'abort')).toEqual([]);
    expect(await session.send('two').text()).toBe('b');
  });

  test('is cancelled while it waits, and the previous one continues', async () => {
    const owner = new AbortController();
    await using session = await open([onUser([hang()]), onUser([say('c')])], {}, version);
    const first = session.send('one');
    await first.began;
    const second = session.send('two', { signal: owner.signal });
    owner.abort(reason);
    expect(await second.outcome).toMatchObject({ kind: 'aborted', cause: reason });
    expect(first.receipt).toBe('started');
    expect(await first.stop()).toMatchObject({ kind: 'interrupted' });
    expect(await session.send('three').text()).toBe('c');
  });

  test('is never sent if its signal is already aborted', async () => {
    const cli = emulateCli([onUser('two', [say('b')])], { version });
    await using session = await openSession({ transport: cli.transport });
    const turn = session.send('one', { signal: AbortSignal.abort(reason) });
    expect(await turn.outcome).toEqual({ kind: 'aborted', cause: reason });
    expect(await session.send('two').text()).toBe('b');
    cli.assertFinished();
  });

  test('is not affected after it has ended', async () => {
    const owner = new AbortController();
    await using session = await open([onUser([say('a')])], {}, version);
    const turn = session.send('one', { signal: owner.signal });
    expect(await turn.text()).toBe('a');
    owner.abort(reason);
    expect(await turn.stop()).toMatchObject({ kind: 'success' });
  });
});

const SCENARIO = [
  { on: 'user', match: 'one', steps: [{ do: 'hang' }] },
  { on: 'user', steps: [{ do: 'say', content: 'done' }], times: 'any' },
];

describe.skipIf(process.platform === 'win32').each(testedVersions)('a stopped process of %s', (version) => {
  test('cannot keep a turn open that has not begun; it is interrupted when it begins', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stopped-'));
    await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
    const scenario = join(folder, 'scenario.json');
    await writeFile(scenario, JSON.stringify(SCENARIO));
    const clock = new ManualClock();
    const env = { COXSWAIN_SESSIONS: folder, COXSWAIN_SCENARIO: scenario };
    await using session = await openSession({ cli: programOf(version), env, cwd: folder }, { clock });
    process.kill(Number(session.pid), 'SIGSTOP');
    const owner = new AbortController();
    const turns = [session.send('one', { signal: owner.signal }), session.send('x'.repeat(1_000_000))];
    owner.abort(reason);
    const stopped = turns[1]?.stop();
    await clock.pass(5_000);
    expect(await turns[0]?.outcome).toMatchObject({ kind: 'aborted', cause: reason });
    expect(['interrupted', 'cancelled']).toContain((await stopped)?.kind);
    process.kill(Number(session.pid), 'SIGCONT');
    expect(await session.send('two').outcome).toMatchObject({ kind: 'success' });
  });
});

describe('a session that is closed in the middle of a turn', () => {
  test('ends it as closed, whatever the CLI still sends', async () => {
    const session = await open([onUser([say('a'), hang()])]);
    const turn = session.send('go');
    await turn.began;
    await session.close();
    expect(await turn.outcome).toMatchObject({ kind: 'closed' });
  });
});

describe('retried model calls', () => {
  const retry = (error: string, status: number) =>
    send({
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      max_retries: 10,
      retry_delay_ms: 500,
      error_status: status,
      error,
      session_id: 's',
      uuid: 'u',
    });

  test('are an event with cause, attempt and delay', async () => {
    await using session = await open([onUser([retry('server_error', 529), say('done')])]);
    const heard: unknown[] = [];
    session.on('retry', (each) => heard.push(each));
    expect(await session.send('go').text()).toBe('done');
    expect(heard).toEqual([{ attempt: 1, maxRetries: 10, delayMs: 500, status: 529, error: 'server_error' }]);
  });

  test('end the turn if credentials are refused and stopOnAuthFailure is set', async () => {
    const scenario = () => [onUser([retry('authentication_failed', 401), hang()]), onUser([say('next')])];
    await using session = await open(scenario(), { stopOnAuthFailure: true });
    expect(await session.send('go').outcome).toMatchObject({ kind: 'auth', reason: 'authentication_failed' });
    expect(await session.send('again').text()).toBe('next');
  });

  test('go on while another CLI renews the login, and end the turn once none does', async () => {
    const renewals = [true, true, false];
    const refused = retry('authentication_failed', 401);
    const scenario = () => [onUser([refused, refused, say('half'), refused, hang()])];
    const { transport } = emulateCli(scenario());
    const login = { isBeingRenewed: () => renewals.shift() } as unknown as Login;
    const launch = async () => ({ transport, version: Promise.resolve(undefined), login });
    await using session = await openSession({ stopOnAuthFailure: true }, { launch });
    expect(await session.send('go').outcome).toMatchObject({ kind: 'auth', reason: 'authentication_failed' });
    expect(renewals).toEqual([]);
  });

  test('continue if they are not about credentials', async () => {
    await using session = await open([onUser([retry('rate_limit', 429), say('done')])], {
      stopOnAuthFailure: true,
    });
    expect(await session.send('go').text()).toBe('done');
  });
});
