import type { Clock } from '../../../wire/util/clock.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';
import type { SettledOptions } from './settling.js';

/** What a wait that ends early says. */
export interface WaitTexts {
  readonly clock: Clock;
  /** When the time is over. */
  readonly late: () => string;
  /** When it was aborted. */
  readonly aborted: string;
}

/**
 * Waits for something as long as the options allow. @throws CoxswainError `REQUEST_TIMEOUT` or `REQUEST_ABORTED` if the
 * wait ends first.
 */
export function waitAtMost<T>(
  awaited: Promise<T>,
  { deadlineMs = Number.POSITIVE_INFINITY, signal }: SettledOptions,
  { clock, late, aborted }: WaitTexts,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => giveUp(new AbortedError('REQUEST_ABORTED', aborted, signal?.reason));
    const stopTimer = clock.after(deadlineMs, () => giveUp(new CoxswainError('REQUEST_TIMEOUT', late())));
    const release = () => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
    };
    const giveUp = (error: unknown) => {
      release();
      reject(error);
    };
    awaited.then((value) => {
      release();
      resolve(value);
    }, giveUp);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
}
