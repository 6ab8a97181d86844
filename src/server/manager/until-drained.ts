import { waitAtMost } from '../../host/session/turns/wait-at-most.js';
import type { Clock } from '../../wire/util/clock.js';
import type { DrainOptions } from './manager.js';

/** Waits until all turns have ended, or the time to wait is over. */
export async function untilDrained(
  finished: Promise<unknown>,
  options: DrainOptions,
  clock: Clock,
): Promise<void> {
  const texts = { clock, late: () => 'Turns are still running.', aborted: 'Draining was aborted.' };
  // Both mean that the manager closes now.
  await waitAtMost(finished, options, texts).catch(() => {});
}
