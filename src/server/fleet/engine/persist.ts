import type { Clock } from '../../../wire/util/clock.js';
import { isRefused, mustWait } from './writes.js';

const PAUSE_MS = { least: 50, most: 2_000 };
/** How long to wait for another write of the same owner. */
const SOON_MS = 2;

/** When {@link persist} retries, and when it gives up. */
export interface PersistOptions {
  readonly clock: Clock;
  /** Stops retrying. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a write until the engine accepts it: while the engine is unreachable or has no leader, it retries. `refused`
 * means that someone else has written before, which no retry will change.
 */
export async function persist(
  write: () => Promise<unknown>,
  { clock, signal }: PersistOptions,
): Promise<'done' | 'refused' | 'over'> {
  let pause = PAUSE_MS.least;
  while (!signal.aborted) {
    try {
      await write();
      return 'done';
    } catch (error) {
      if (isRefused(error)) return 'refused';
      const isSoon = mustWait(error);
      await waitFor(isSoon ? SOON_MS : pause, { clock, signal });
      if (!isSoon) pause = Math.min(pause * 2, PAUSE_MS.most);
    }
  }
  return 'over';
}

/** Waits this long, or until the signal. */
export function waitFor(ms: number, { clock, signal }: PersistOptions): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      callOff();
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const callOff = clock.after(ms, stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
