import { describe, expect, onTestFinished, test } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { RequestOptions } from '../../src/wire/peer/control-peer.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { startEmulatedConsole } from '../support/console.js';
import { callNamed, calls, left, readsOf, type Waits, waitsOf } from '../support/session-waits.js';
import { type Phase, phases, SilentCli } from '../support/silent-cli.js';

const DAY_MS = 24 * 3_600_000;

interface Limits {
  readonly deadlineMs?: number;
  readonly handshakeMs?: number;
}

interface Stage {
  readonly session: Session;
  readonly turn: Turn;
  /** Whose signals the session and its turn have. */
  readonly owner: AbortController;
  readonly caller: AbortController;
}

/** A remote session whose CLI on the server is silent, with a turn that reached a phase. */
async function at(phase: Phase, limits: Limits = {}): Promise<Stage> {
  const cli = { transport: () => new SilentCli(phase, '2.1.326', systemClock) };
  const { server, root } = await startEmulatedConsole([], { session: cli });
  const [owner, caller] = [new AbortController(), new AbortController()];
  const { signal } = owner;
  const session = startSession({ remote: server.url, cwd: root, prompts: 'manual', signal, ...limits });
  onTestFinished(async () => void (await session.close()));
  session.ready.catch(() => {});
  const turn = session.send('go', { signal: caller.signal });
  if (phase === 'opening') await expect.poll(() => session.state).toBe('handshaking');
  else await session.ready;
  if (phase === 'in a prompt') await expect.poll(() => session.prompts.open.length).toBe(1);
  else if (phase !== 'opening' && phase !== 'queued') await turn.began;
  return { session, turn, owner, caller };
}

function callsOf(session: Session, options: RequestOptions): Waits {
  const names = Object.keys(calls);
  return Object.fromEntries(names.map((name) => [name, callNamed(session, name, options)]));
}

function everything({ session, turn }: Stage, options: RequestOptions): Waits {
  return { ...waitsOf(turn), ...readsOf(session), ...callsOf(session, options) };
}

// Closing has a test of its own.
const before = phases.filter((phase) => phase !== 'closing');

describe.each(before)('in a remote session whose CLI falls silent (%s), every wait ends', (phase) => {
  test.each(['close()', 'abort'] as const)('by %s of the session: everything', async (end) => {
    const stage = await at(phase);
    const ended = left(everything(stage, { deadlineMs: DAY_MS }));
    if (end === 'abort') stage.owner.abort();
    const closed = left({ 'close()': stage.session.close() });
    expect(await Promise.all([ended, closed])).toEqual([[], []]);
  });

  test('by its signal or its deadline: a call', async () => {
    const { session } = await at(phase);
    const caller = new AbortController();
    const aborted = left(callsOf(session, { deadlineMs: DAY_MS, signal: caller.signal }));
    const late = left(callsOf(session, { deadlineMs: 200 }));
    caller.abort();
    expect(await Promise.all([aborted, late])).toEqual([[], []]);
  });

  test('by stop() or its signal: a turn', async () => {
    const [stopped, aborted] = await Promise.all([at(phase), at(phase)]);
    const ended = [
      left({ ...waitsOf(stopped.turn), 'stop()': stopped.turn.stop() }),
      left(waitsOf(aborted.turn)),
    ];
    aborted.caller.abort();
    expect(await Promise.all(ended)).toEqual([[], []]);
  });

  test('by the limits of the session: cancel() and interrupt()', async () => {
    // An interrupt waits until there is something to interrupt.
    const handshake = phase === 'opening' ? { handshakeMs: 5_000 } : {};
    const { session, turn } = await at(phase, { deadlineMs: 500, ...handshake });
    const asked = { 'cancel()': turn.cancel(), 'interrupt()': session.interrupt() };
    expect(await left({ ...asked, 'of a queue': session.interrupt({ cancelQueued: true }) })).toEqual([]);
  });
});

test('while a remote session closes, what begins then ends with it', async () => {
  const stage = await at('started');
  const closed = stage.session.close();
  const begun = { ...everything(stage, { deadlineMs: DAY_MS }), 'stop()': stage.turn.stop() };
  const asked = { 'cancel()': stage.turn.cancel(), 'interrupt()': stage.session.interrupt() };
  expect(await left({ ...begun, ...asked, 'close()': closed })).toEqual([]);
});
