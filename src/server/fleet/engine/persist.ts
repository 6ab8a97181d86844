import type { Clock } from '../../../wire/util/clock.js';
import { failedAs } from './engine.js';

const PAUSE_MS = { least: 50, most: 2_000 };
/** How long to wait for another write of the same owner. */
const SOON_MS = 2;

/** When {@link persist} retries, and when it gives up. */
export interface PersistOptions {
  readonly clock: Clock;
  /** Stops retrying. */
  readonly signal: AbortSignal;
  /** Called once if the engine has not accepted it for {@link LATE_MS}. */
  readonly onLate?: (() => void) | undefined;
  /** Whether a refusal is the last word, this long after the first attempt. Default: it always is. */
  readonly isFinal?: ((elapsedMs: number) => Promise<boolean>) | undefined;
}

/** A lease would be lost by now if the engine were away: it answers, and does not store. */
export const LATE_MS = 20_000;

/**
 * Repeats a write until the engine accepts it: while the engine is unreachable or has no leader, it retries. `refused`
 * means that someone else has written before, which no retry will change.
 */
export async function persist(
  write: () => Promise<unknown>,
  { clock, signal, onLate = () => {}, isFinal = async () => true }: PersistOptions,
): Promise<'done' | 'refused' | 'over'> {
  const begun = clock.now();
  let pause = PAUSE_MS.least;
  let tellLate = onLate;
  while (!signal.aborted) {
    try {
      await write();
      return 'done';
    } catch (error) {
      if (await isLastWord(error, () => isFinal(clock.now() - begun))) return 'refused';
      if (clock.now() - begun >= LATE_MS) {
        tellLate();
        tellLate = () => {};
      }
      const isSoon = failedAs(error, 'busy');
      await waitFor(isSoon ? SOON_MS : pause, { clock, signal });
      if (!isSoon) pause = Math.min(pause * 2, PAUSE_MS.most);
    }
  }
  return 'over';
}

/** Whether an error is a refusal for good. An engine that cannot be asked has not answered. */
async function isLastWord(error: unknown, isFinal: () => Promise<boolean>): Promise<boolean> {
  return failedAs(error, 'refused') && (await isFinal().catch(() => false));
}

/** Waits this long, or until the signal. */
export function waitFor(
  ms: number,
  { clock, signal }: Pick<PersistOptions, 'clock' | 'signal'>,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      stopTimer();
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stopTimer = clock.after(ms, stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
