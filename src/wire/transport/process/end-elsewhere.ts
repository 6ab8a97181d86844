import { type Clock, systemClock, within } from '../../util/clock.js';

/** What ends a part of a process that is not on this machine, or not visible here. */
export type EndElsewhere = (() => Promise<void>) | undefined;

/** It promises to take a few seconds; a connection that hangs must not keep a session from closing. */
const LONGEST_MS = 15_000;

/** Runs it. Resolves when it has ended, failed or taken too long, and never rejects. */
export async function endElsewhere(
  end: EndElsewhere,
  onProblem: (error: unknown) => void = () => {},
  clock: Clock = systemClock,
): Promise<void> {
  if (end === undefined) return;
  // One that throws at once fails as one that rejects.
  const ended = (async () => end())().catch(onProblem);
  if (await within(ended, LONGEST_MS, clock)) return;
  onProblem(new Error(`It has not ended within ${LONGEST_MS / 1_000} seconds.`));
}
