import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Session } from '../../../../src/host/session/session.js';
import type { Turn } from '../../../../src/host/session/turns/turn.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { callNamed, calls, callsOf, readAll, readsOf, waitsOf } from '../../../support/session-waits.js';
import { settle } from '../../../support/settle.js';
import { type Phase, phases, SilentCli } from '../../../support/silent-cli.js';
import { testedVersions } from '../../../support/tested-versions.js';

/** How long a turn that is stopped may take, at most. */
const STOP_MS = 5_000;
/** How long an interrupt may wait for its turn to begin before it is sent. */
const BEGIN_MS = 2_000;
const DAY_MS = 24 * 3_600_000;

/** A session with a silent CLI, and everything that waits for it. */
class Stage {
  readonly clock = new ManualClock();
  readonly owner = new AbortController();
  readonly caller = new AbortController();
  readonly session: Session;
  readonly #waiting = new Set<string>();

  constructor(phase: Phase, version: string) {
    const never = () => new Promise<never>(() => {});
    const options = {
      transport: () => new SilentCli(phase, version, this.clock),
      signal: this.owner.signal,
      onPermission: never,
      handlers: { mcp_message: never },
    };
    this.session = new Session(options, { clock: this.clock });
  }

  /** Goes to a phase, with a turn that reached it. */
  static async at(phase: Phase, version: string): Promise<{ stage: Stage; turn: Turn }> {
    const stage = new Stage(phase, version);
    const turn = stage.session.send('go', { signal: stage.caller.signal });
    await settle(3);
    if (phase === 'closing') stage.wait({ 'close()': stage.session.close() });
    return { stage, turn };
  }

  /** Keeps the names of waits until they have ended, in any way. */
  wait(waits: Readonly<Record<string, Promise<unknown>>>): void {
    for (const [name, promise] of Object.entries(waits)) {
      this.#waiting.add(name);
      const ended = () => this.#waiting.delete(name);
      promise.then(ended, ended);
    }
  }

  waitForCalls(options: { readonly deadlineMs?: number; readonly signal?: AbortSignal }): void {
    for (const name of Object.keys(calls)) this.wait({ [name]: callNamed(this.session, name, options) });
  }

  /** What still waits after this time. */
  async left(ms: number): Promise<readonly string[]> {
    await this.clock.pass(ms);
    await settle(3);
    return [...this.#waiting];
  }
}

describe('on a CLI that falls silent, every wait ends', () => {
  test('the list of calls is complete', () => {
    const stage = new Stage('opening', '2.1.326');
    expect(callsOf(stage.session)).toEqual(Object.keys(calls).sort());
    stage.owner.abort();
  });

  test.each(['abort', 'close'] as const)('reopen(), by %s of the session', async (end) => {
    const { stage } = await Stage.at('opening', '2.1.326');
    const { session } = stage;
    stage.wait({ 'close()': session.close() });
    expect(await stage.left(3_000)).toEqual([]);
    stage.wait({ 'reopen()': session.reopen() });
    await settle(3);
    expect(await stage.left(0)).toEqual(['reopen()']);
    if (end === 'abort') stage.owner.abort();
    else stage.wait({ 'close()': session.close() });
    expect(await stage.left(3_000)).toEqual([]);
  });

  describe.each(testedVersions)('%s', (version) => {
    describe.each(phases)('%s', (phase) => {
      test.each(['abort', 'close'] as const)('by %s of the session: everything', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        const { session } = stage;
        stage.wait({ ready: session.ready, ...waitsOf(turn), ...readsOf(session) });
        const streamed = session.state === 'ending' ? turn : session.send('more');
        stage.wait({ 'reading textDeltas()': readAll(streamed.textDeltas()) });
        stage.waitForCalls({ deadlineMs: DAY_MS });
        await settle(3);
        if (end === 'abort') stage.owner.abort();
        else stage.wait({ 'close()': session.close() });
        // A CLI that is being opened or closed is waited for: nothing is left running.
        expect(await stage.left(end === 'abort' && isSteady(phase) ? 0 : 3_000)).toEqual([]);
      });

      test('by its signal: a call', async () => {
        const { stage } = await Stage.at(phase, version);
        const caller = new AbortController();
        stage.waitForCalls({ deadlineMs: DAY_MS, signal: caller.signal });
        await settle(3);
        caller.abort();
        expect(await stage.left(phase === 'closing' ? 3_000 : 0)).toEqual([]);
        stage.owner.abort();
      });

      test('by its deadline: a call', async () => {
        const { stage } = await Stage.at(phase, version);
        stage.waitForCalls({ deadlineMs: 500 });
        // A call of several steps takes at most twice as long.
        expect(await stage.left(phase === 'closing' ? 3_000 : 1_000)).toEqual([]);
        stage.owner.abort();
      });

      test.each(['stop()', 'its signal'] as const)('by %s: a turn', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        stage.wait(waitsOf(turn));
        if (end === 'stop()') stage.wait({ 'stop()': turn.stop() });
        else stage.caller.abort();
        expect(await stage.left(STOP_MS)).toEqual([]);
        const streamed = phase === 'closing' ? turn : stage.session.send('more');
        stage.wait({ ...waitsOf(streamed), 'stop()': streamed.stop() });
        expect(await stage.left(STOP_MS)).toEqual([]);
        stage.owner.abort();
      });

      test.each(['cancel', 'interrupt'] as const)('%s(), with or without success', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        const asked = end === 'cancel' ? turn.cancel() : stage.session.interrupt();
        stage.wait({ [end]: asked, 'of a queue': stage.session.interrupt({ cancelQueued: true }) });
        expect(await stage.left(60_000 + 30_000 + BEGIN_MS)).toEqual([]);
        stage.owner.abort();
      });
    });
  });

  const acts = fc.array(
    fc.constantFrom('send', 'stop', 'cancel', 'interrupt', 'abort', 'call', 'a second', 'a minute'),
    { minLength: 1, maxLength: 8 },
  );

  test('of any turn after any acts, within five seconds of its stop', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...phases),
        fc.constantFrom(...testedVersions),
        acts,
        async (phase, version, plan) => {
          const { stage, turn } = await Stage.at(phase, version);
          const turns = [turn];
          for (const act of plan) await perform(act, stage, turns);
          for (const [index, each] of turns.entries())
            stage.wait({ [`stop() of turn ${index}`]: each.stop(), [`outcome ${index}`]: each.outcome });
          const left = await stage.left(STOP_MS);
          expect(left.filter((name) => name.includes('stop') || name.includes('outcome'))).toEqual([]);
          stage.owner.abort();
          expect(await stage.left(10_000)).toEqual([]);
          expect(stage.clock.size, 'timers that are left').toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Whether the session is neither opening nor closing. */
function isSteady(phase: Phase): boolean {
  return phase !== 'opening' && phase !== 'closing';
}

async function perform(act: string, stage: Stage, turns: Turn[]): Promise<void> {
  const { session, caller } = stage;
  const name = `${act} ${Math.random()}`;
  const isOpen = session.state !== 'ended' && session.state !== 'ending';
  if (act === 'send' && isOpen) turns.push(session.send('more', { signal: caller.signal }));
  if (act === 'stop' && turns[0] !== undefined) stage.wait({ [name]: turns[0].stop() });
  if (act === 'cancel' && turns[0] !== undefined) stage.wait({ [name]: turns[0].cancel() });
  if (act === 'interrupt') stage.wait({ [name]: session.interrupt() });
  if (act === 'abort') caller.abort();
  if (act === 'call') stage.wait({ [name]: session.mcp.reconnect('one') });
  if (act === 'a second') await stage.clock.pass(1_000);
  if (act === 'a minute') await stage.clock.pass(60_000);
}
