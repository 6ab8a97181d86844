import { describe, expect, test } from 'vitest';
import { startSession } from '../../../../src/entry/sdk/open-session.js';
import type { Turn } from '../../../../src/host/session/turns/turn.js';
import type { Conversation } from '../../../../src/server/manager/conversations/conversation.js';
import { ManagedConversation } from '../../../../src/server/manager/conversations/managed-conversation.js';
import type { Manager } from '../../../../src/server/manager/manager.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import type { RequestOptions } from '../../../../src/wire/peer/control-peer.js';
import { storeFolder } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { methodsOf, readAll, waitsOf } from '../../../support/session-waits.js';
import { settle } from '../../../support/settle.js';
import { phases, SilentCli } from '../../../support/silent-cli.js';
import { testedVersions } from '../../../support/tested-versions.js';

/** How long a turn that is stopped may take, at most. */
const STOP_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** The phases of a CLI, and the time before there is one. */
const managed = ['without a slot', ...phases] as const;
type Phase = (typeof managed)[number];

/** Every call of a conversation that may wait for its CLI, with the arguments before its options. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  control: ['mcp_status', {}],
  interrupt: [],
  setModel: ['sonnet'],
  setPermissionMode: ['default'],
  setEffort: ['low'],
  wake: [],
  settled: [],
  park: [],
};

/** The methods that do not wait for a CLI, or that the tests call themselves. */
const others =
  'send on messages transcript setBudget cancelWaiting schedule unschedule bringSchedule watch retry has takeBack use untilGone';

/** A conversation whose CLI is silent, and everything that waits for it. */
class Stage {
  readonly clock: ManualClock;
  readonly caller = new AbortController();
  readonly manager: Manager;
  readonly talk: Conversation;
  readonly #waiting = new Set<string>();

  private constructor(manager: Manager, clock: ManualClock) {
    this.manager = manager;
    this.clock = clock;
    this.talk = manager.conversation('one');
  }

  /** Goes to a phase, with a turn that reached it. */
  static async at(phase: Phase, version: string): Promise<{ stage: Stage; turn: Turn }> {
    const clock = new ManualClock();
    const cli = phase === 'without a slot' ? 'queued' : phase;
    const defaults = {
      transport: () => new SilentCli(cli, version, clock),
      onPermission: () => new Promise<never>(() => {}),
    };
    const manager = await openManager(
      { store: storeFolder(), maxRunning: 1, defaults },
      { clock, startSession: (options) => startSession(options, { clock }) },
    );
    const stage = new Stage(manager, clock);
    if (phase === 'without a slot') await stage.#takeSlot();
    const turn = stage.talk.send('go', { signal: stage.caller.signal });
    const reached = { 'without a slot': 'queued', opening: 'starting' }[phase as string] ?? 'running';
    await until(() => stage.talk.state === reached);
    await settle(3);
    if (phase === 'closing') stage.wait({ 'close()': manager.close() });
    return { stage, turn };
  }

  async #takeSlot(): Promise<void> {
    const busy = this.manager.conversation('busy');
    busy.send('go');
    await until(() => busy.state === 'running');
  }

  /** Keeps the names of waits until they have ended, in any way. */
  wait(waits: Readonly<Record<string, Promise<unknown>>>): void {
    for (const [name, promise] of Object.entries(waits)) {
      this.#waiting.add(name);
      const ended = () => this.#waiting.delete(name);
      promise.then(ended, ended);
    }
  }

  waitForCalls(options: RequestOptions): void {
    const talk = this.talk as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
    for (const [name, values] of Object.entries(calls))
      this.wait({ [name]: talk[name]?.(...values, options) ?? Promise.resolve() });
  }

  /** What still waits after this time. */
  async left(ms: number): Promise<readonly string[]> {
    await this.clock.pass(ms);
    await settle(5);
    return [...this.#waiting];
  }

  /** Ends what the test has started. */
  async end(): Promise<void> {
    this.wait({ 'close()': this.manager.close() });
    expect(await this.left(10_000)).toEqual([]);
    expect(this.clock.size, 'timers that are left').toBe(0);
  }
}

/** Waits for a state that needs no time of the clock; the test's own timeout ends it. */
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await settle();
}

describe('in a conversation whose CLI falls silent, every wait ends', () => {
  test('the list of calls is complete', () => {
    const known = [...Object.keys(calls), ...others.split(' '), 'endWorkspace'].sort();
    expect([...methodsOf(ManagedConversation.prototype)].sort()).toEqual(known);
  });

  describe.each(testedVersions)('%s', (version) => {
    describe.each(managed)('%s', (phase) => {
      test('by close() of the manager: everything', async () => {
        const { stage, turn } = await Stage.at(phase, version);
        const { talk } = stage;
        stage.wait({
          ...waitsOf(turn),
          'reading messages()': readAll(talk.messages()),
          'reading unasked': readAll(talk.unasked),
          'endWorkspace()': talk.endWorkspace('merge'),
        });
        stage.waitForCalls({ deadlineMs: DAY_MS });
        await settle(3);
        await stage.end();
      });

      test.each(['delete()', 'drain()'] as const)('by %s: everything', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        if (phase !== 'closing') {
          stage.wait(waitsOf(turn));
          stage.waitForCalls({ deadlineMs: DAY_MS });
          const { manager } = stage;
          stage.wait({
            [end]: end === 'delete()' ? manager.delete('one') : manager.drain({ deadlineMs: 1_000 }),
          });
          expect(await stage.left(10_000)).toEqual([]);
        }
        await stage.end();
      });

      test('by its signal: a call', async () => {
        const { stage } = await Stage.at(phase, version);
        const caller = new AbortController();
        stage.waitForCalls({ deadlineMs: DAY_MS, signal: caller.signal });
        await settle(3);
        caller.abort();
        expect(await stage.left(phase === 'closing' ? 3_000 : 0)).toEqual([]);
        await stage.end();
      });

      test('by its deadline: a call', async () => {
        const { stage } = await Stage.at(phase, version);
        stage.waitForCalls({ deadlineMs: 500 });
        // A call that waits for the CLI first takes at most twice as long.
        expect(await stage.left(phase === 'closing' ? 3_000 : 1_000)).toEqual([]);
        await stage.end();
      });

      test.each(['stop()', 'its signal'] as const)('by %s: a turn', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        stage.wait(waitsOf(turn));
        if (end === 'stop()') stage.wait({ 'stop()': turn.stop() });
        else stage.caller.abort();
        expect(await stage.left(STOP_MS)).toEqual([]);
        await stage.end();
      });

      test.each(['cancel', 'interrupt'] as const)('%s(), with or without success', async (end) => {
        const { stage, turn } = await Stage.at(phase, version);
        stage.wait({ [end]: end === 'cancel' ? turn.cancel() : stage.talk.interrupt() });
        expect(await stage.left(100_000)).toEqual([]);
        await stage.end();
      });
    });
  });
});
