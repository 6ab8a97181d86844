import { setTimeout as pause } from 'node:timers/promises';
import { Rig } from './rig.js';
import type { Setup } from './servers.js';

/** How long a run is. */
export interface Plan {
  readonly seed: number;
  readonly setup: Setup;
  readonly conversations: number;
  readonly steps: number;
}

/** What came out of a run. */
export interface Verdict {
  readonly seed: number;
  readonly setup: Setup;
  readonly accepted: number;
  /** Sent, and without a clear answer long after everything was repaired. */
  readonly unanswered: readonly string[];
  /** Accepted, never begun, and nobody was told that its fate is unknown. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** Refused with an error that says that it did not run, and ran. */
  readonly refusedAndRan: readonly string[];
  /** Accepted, and settled as one of which nobody can tell whether it ran. */
  readonly unknown: readonly string[];
  /** Those of them that were never handed to a CLI, or of which a CLI said that it began. */
  readonly unfounded: readonly string[];
  readonly unsettled: readonly string[];
  /** Gaps and repeats that viewers saw. */
  readonly unseen: readonly string[];
  /** How often a viewer had to start over. */
  readonly resets: number;
}

/** Answers that do not say whether a message runs. */
const UNCLEAR: ReadonlySet<string> = new Set(['open', 'FLEET_UNANSWERED']);
const ANSWER_MS = 120_000;
const SETTLE_MS = 90_000;

/** Breaks a fleet by chance while messages are sent, and counts their outcomes. The same seed makes the same plan. */
export async function check({ seed, setup, conversations, steps }: Plan): Promise<Verdict> {
  const random = randomFrom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const rig = await Rig.open(conversations, { setup, others: 1 });
  const { faults } = rig;
  for (let step = 0; step < steps; step += 1) {
    // Several at once: all but the first wait behind a running turn.
    for (const talk of rig.talks) for (let burst = upTo(8); burst > 0; burst -= 1) talk.say(20 + upTo(600));
    await pause(200 + upTo(1_200));
    const fault = faults[upTo(faults.length)] ?? 'kill';
    const [who, ms] = [upTo(2), 1_000 + upTo(6_000)];
    if (random() < 0.8) await rig.break(fault, who, ms);
    await pause(upTo(2_500));
  }
  await rig.heal();
  await Promise.race([Promise.all(rig.talks.map((talk) => talk.answered())), pause(ANSWER_MS)]);
  await untilSettled(rig);
  return { seed, setup, ...(await verdictOf(rig)) };
}

async function untilSettled({ talks }: Rig): Promise<void> {
  const isOpen = () =>
    talks.some(({ sent, settled }) => sent.some(({ id, told }) => told === 'accepted' && !settled.has(id)));
  for (const end = Date.now() + SETTLE_MS; isOpen() && Date.now() < end; ) {
    // It waits until somebody asks for it.
    for (const talk of talks.filter(({ hasFailed }) => hasFailed)) {
      talk.say(20);
      await talk.answered();
    }
    await pause(200);
  }
}

async function verdictOf(rig: Rig): Promise<Omit<Verdict, 'seed' | 'setup'>> {
  const { ran, talks, transcripts } = rig;
  const times = new Map<string, number>();
  for (const id of ran) times.set(id, (times.get(id) ?? 0) + 1);
  const told = new Map(talks.flatMap(({ settled }) => [...settled]));
  const sent = talks.flatMap((talk) => talk.sent);
  const accepted = sent.filter(({ told: how }) => how === 'accepted').map(({ id }) => id);
  // One that was interrupted right after its CLI had begun has no effect.
  const begun = new Set(talks.flatMap((talk) => [...talk.begun]));
  const isBegun = (id: string) => begun.has(id) || transcripts.includes(`"uuid":"${id}"`);
  const isUnknown = (id: string) => told.get(id)?.startsWith('unknown') ?? false;
  const refused = sent.filter(({ told: how }) => how !== 'accepted' && !UNCLEAR.has(how));
  const historyOf = (id: string) =>
    talks.filter((talk) => talk.sent.some((each) => each.id === id)).map((talk) => talk.historyOf(id))[0] ??
    id;
  const handed = new Set(talks.flatMap((talk) => [...talk.handed]));
  const unknown = accepted.filter(isUnknown);
  return {
    accepted: accepted.length,
    unanswered: sent.filter(({ told: how }) => UNCLEAR.has(how)).map(({ id }) => historyOf(id)),
    lost: accepted.filter((id) => !times.has(id) && !isBegun(id) && !isUnknown(id)).map(historyOf),
    twice: [...times].flatMap(([id, count]) => (count > 1 ? [historyOf(id)] : [])),
    refusedAndRan: refused.filter(({ id }) => times.has(id)).map(({ id }) => historyOf(id)),
    unknown,
    unfounded: unknown.filter((id) => begun.has(id) || !handed.has(id)).map(historyOf),
    unsettled: accepted.filter((id) => !told.has(id)).map(historyOf),
    unseen: (await Promise.all(talks.map((talk) => talk.unseen()))).flat(),
    resets: talks.flatMap(({ viewers }) => viewers).reduce((sum, { resets }) => sum + resets, 0),
  };
}

/** Random numbers from 0 to 1 that a seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
