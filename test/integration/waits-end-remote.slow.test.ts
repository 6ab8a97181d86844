import { describe, expect, onTestFinished, test } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { RequestOptions } from '../../src/wire/peer/control-peer.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { startEmulatedConsole } from '../support/console.js';
import { callNamed, calls, readsOf, waitsOf } from '../support/session-waits.js';
import { type Phase, phases, SilentCli } from '../support/silent-cli.js';

const DAY_MS = 24 * 3_600_000;

type Waits = Readonly<Record<string, Promise<unknown>>>;

/** A remote session whose CLI on the server is silent, with a turn that reached a phase. */
async function at(phase: Phase): Promise<{ session: Session; turn: Turn }> {
  const cli = { transport: () => new SilentCli(phase, '2.1.326', systemClock) };
  const { server, root } = await startEmulatedConsole([], { session: cli });
  const session = startSession({ remote: server.url, cwd: root, prompts: 'manual' });
  onTestFinished(async () => void (await session.close()));
  session.ready.catch(() => {});
  const turn = session.send('go');
  if (phase === 'opening') await expect.poll(() => session.state).toBe('handshaking');
  else await session.ready;
  if (phase === 'in a prompt') await expect.poll(() => session.prompts.open.length).toBe(1);
  else if (phase !== 'opening' && phase !== 'queued') await turn.began;
  return { session, turn };
}

function callsOf(session: Session, options: RequestOptions): Waits {
  const names = Object.keys(calls);
  return Object.fromEntries(names.map((name) => [name, callNamed(session, name, options)]));
}

/** The names of the waits that do not end; the limit is only for those. */
async function left(waits: Waits): Promise<readonly string[]> {
  const waiting = new Set(Object.keys(waits));
  const all = Object.entries(waits).map(([name, wait]) => {
    const ended = () => waiting.delete(name);
    return wait.then(ended, ended);
  });
  let callOff = () => {};
  const late = new Promise<void>((resolve) => {
    callOff = systemClock.after(20_000, resolve);
  });
  await Promise.race([Promise.all(all), late]);
  callOff();
  return [...waiting];
}

// Closing is what the first test does in each of them.
const before = phases.filter((phase) => phase !== 'closing');

describe.each(before)('in a remote session whose CLI falls silent (%s), every wait ends', (phase) => {
  test('by close() of the session: everything', async () => {
    const { session, turn } = await at(phase);
    const waits = { ...waitsOf(turn), ...readsOf(session), ...callsOf(session, { deadlineMs: DAY_MS }) };
    const ended = left({ ...waits, 'close()': session.close() });
    expect(await ended).toEqual([]);
  });

  test('by its signal or its deadline: a call', async () => {
    const { session } = await at(phase);
    const caller = new AbortController();
    const aborted = left(callsOf(session, { deadlineMs: DAY_MS, signal: caller.signal }));
    const late = left(callsOf(session, { deadlineMs: 200 }));
    caller.abort();
    expect(await Promise.all([aborted, late])).toEqual([[], []]);
  });

  test('by stop(): a turn', async () => {
    const { turn } = await at(phase);
    expect(await left({ ...waitsOf(turn), 'stop()': turn.stop() })).toEqual([]);
  });
});
