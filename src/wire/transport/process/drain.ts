import { setImmediate as nextRound } from 'node:timers/promises';
import { type Clock, within } from '../../util/clock.js';

/** What is watched while the pipes of an exited process are read to the end. */
export interface Drain {
  /** Settles when all pipes have ended. */
  readonly done: Promise<unknown>;
  /** Resolves when somebody reads; earlier data is kept until then. */
  readonly started: Promise<unknown>;
  /** How many bytes were read so far. */
  readonly progress: () => number;
  readonly clock: Clock;
}

const START_MS = 1_000;
const LIMIT_MS = 5_000;
const LOOK_MS = 50;

/**
 * Waits until everything that an exited process left in its pipes was read. A grandchild may hold them open
 * forever, so the wait ends when nothing arrives for a while, and after some seconds at the latest.
 */
export async function drained({ done, started, progress, clock }: Drain): Promise<void> {
  await within(Promise.race([done, started]), START_MS, clock);
  const until = clock.now() + LIMIT_MS;
  let seen = progress();
  for (let quietLooks = 0; quietLooks < 2 && clock.now() < until; ) {
    if (await within(done, LOOK_MS, clock)) return;
    // A busy host runs its timers first: what waits in the pipe is read in this round.
    await nextRound();
    quietLooks = progress() === seen ? quietLooks + 1 : 0;
    seen = progress();
  }
}
