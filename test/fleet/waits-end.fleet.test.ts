import { expect, test } from 'vitest';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { Conversation } from '../../src/server/manager/conversations/conversation.js';
import type { Manager } from '../../src/server/manager/manager.js';
import { ServedConversation } from '../../src/server/managers/served/served-conversation.js';
import type { RequestOptions } from '../../src/wire/peer/control-peer.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { emulatedFleetManager } from '../support/fleet-manager.js';
import { withNats } from '../support/nats/with-nats.js';
import { left, methodsOf, readAll, type Waits, waitsOf } from '../support/session-waits.js';
import { type Phase, phases, SilentCli } from '../support/silent-cli.js';

const DAY_MS = 24 * 3_600_000;

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
  'send on messages transcript setBudget cancelWaiting schedule unschedule watch endWorkspace retry';

interface Stage {
  readonly talk: Conversation;
  readonly turn: Turn;
  readonly caller: AbortController;
}

/** Conversations of a fleet with silent CLIs, one for each phase, whose turns reached it. */
async function stages(
  names: readonly string[],
  limits: { readonly handshakeMs?: number } = {},
): Promise<{ manager: Manager; all: readonly Stage[] }> {
  const { manager } = await emulatedFleetManager(
    { scenarios: [] },
    {},
    { slots: phases.length * names.length, session: { transport: silent, deadlineMs: 500, ...limits } },
  );
  // Closing is what one of the tests does to all of them.
  const before = phases.filter((phase) => phase !== 'closing');
  const all = before.flatMap((phase) => names.map((name) => reach(manager, phase, name)));
  return { manager, all: await Promise.all(all) };
}

/** A worker's CLI falls silent in the phase that its conversation names as its model. */
function silent({ arguments: args }: AskedLaunch): SilentCli {
  const model = args.find((each) => each.startsWith('--model='))?.slice('--model='.length);
  const phase = phases.find((each) => each === model) ?? 'queued';
  return new SilentCli(phase, '2.1.326', systemClock);
}

async function reach(manager: Manager, phase: Phase, name: string): Promise<Stage> {
  const talk = manager.conversation(`${name}, ${phase}`, { model: phase });
  const caller = new AbortController();
  const turn = talk.send('go', { signal: caller.signal });
  if (phase === 'opening') await expect.poll(() => talk.state).toBe('starting');
  else await expect.poll(() => talk.state).toBe('running');
  if (phase === 'in a prompt') await expect.poll(() => talk.prompts.open.length).toBe(1);
  return { talk, turn, caller };
}

/** The calls of all these conversations. */
function callsOf(all: readonly Stage[], options: RequestOptions): Waits {
  return named(all, ({ talk }) => {
    const methods = talk as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
    const made = Object.entries(calls).map(([name, values]) => [name, methods[name]?.(...values, options)]);
    return Object.fromEntries(made) as Waits;
  });
}

/** What is waited for in each conversation, under its name. */
function named(all: readonly Stage[], waitsIn: (stage: Stage) => Waits): Waits {
  const entries = all.flatMap((stage) =>
    Object.entries(waitsIn(stage)).map(([name, wait]) => [`${stage.talk.name}: ${name}`, wait] as const),
  );
  return Object.fromEntries(entries);
}

withNats('in a conversation of a fleet whose CLI falls silent, every wait ends', () => {
  test('the list of calls is complete', () => {
    const known = [...Object.keys(calls), ...others.split(' ')].sort();
    expect([...methodsOf(ServedConversation.prototype)].sort()).toEqual(known);
  });

  test('by close() of the manager: everything', async () => {
    const { manager, all } = await stages(['one']);
    const waits = named(all, ({ talk, turn }) => ({
      ...waitsOf(turn),
      'reading messages()': readAll(talk.messages()),
      'reading unasked': readAll(talk.unasked),
    }));
    const called = callsOf(all, { deadlineMs: DAY_MS });
    expect(await left({ ...waits, ...called, 'close()': manager.close() })).toEqual([]);
  });

  test('by its signal or its deadline: a call', async () => {
    const { all } = await stages(['one']);
    const caller = new AbortController();
    const aborted = left(callsOf(all, { deadlineMs: DAY_MS, signal: caller.signal }));
    const late = left(callsOf(all, { deadlineMs: 200 }));
    caller.abort();
    expect(await Promise.all([aborted, late])).toEqual([[], []]);
  });

  test('by stop() or its signal: a turn', async () => {
    const { all } = await stages(['stopped', 'aborted']);
    const stopped = all.filter(({ talk }) => talk.name.startsWith('stopped'));
    const waits = named(all, ({ turn }) => waitsOf(turn));
    const stops = named(stopped, ({ turn }) => ({ 'stop()': turn.stop() }));
    for (const { talk, caller } of all) if (talk.name.startsWith('aborted')) caller.abort();
    expect(await left({ ...waits, ...stops })).toEqual([]);
  });

  test('by the limits of its CLI: cancel() and interrupt()', async () => {
    const { all } = await stages(['one'], { handshakeMs: 5_000 });
    const asked = named(all, ({ talk, turn }) => ({
      'cancel()': turn.cancel(),
      'interrupt()': talk.interrupt(),
    }));
    expect(await left(asked)).toEqual([]);
  });
});
