import type { Clock } from '../../../wire/util/clock.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';

/** How long `settled()` waits. */
export interface SettledOptions {
  /** How long to wait, in milliseconds. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /** Ends the wait when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The dependencies of {@link Settling}. */
export interface SettlingOptions {
  readonly isBusy: () => boolean;
  /** A description of its activity. */
  readonly describe?: () => string;
  readonly clock: Clock;
}

/**
 * After a background task ends, newer CLIs start a turn on their own, about 60 ms later; this is the longest wait for
 * it.
 */
const UNASKED_TURN_GRACE_MS = 2_000;

/** Knows when a session has nothing left to do: no turn, no waiting message, no background work. */
export class Settling {
  readonly #options: SettlingOptions;
  readonly #waiters = new Set<() => void>();
  #callOffGrace: (() => void) | undefined;
  #over = false;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Something changed that may have ended the work. */
  changed(): void {
    if (!this.#isSettled()) return;
    for (const wake of [...this.#waiters]) wake();
  }

  /** A background task ended: the CLI is about to start a turn. */
  expectTurn(): void {
    this.#callOffGrace?.();
    this.#callOffGrace = this.#options.clock.after(UNASKED_TURN_GRACE_MS, () => {
      this.turnCame();
      this.changed();
    });
  }

  /** That turn started, or will not start any more. Resolves no waits: the turn is only about to run. */
  turnCame(): void {
    this.#callOffGrace?.();
    this.#callOffGrace = undefined;
  }

  /** The session has ended, and with it every wait. */
  end(): void {
    this.#over = true;
    this.turnCame();
    this.changed();
  }

  /** The session was reopened. */
  restart(): void {
    this.#over = false;
  }

  wait({ deadlineMs = Number.POSITIVE_INFINITY, signal }: SettledOptions = {}): Promise<void> {
    if (this.#isSettled()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const release = () => {
        callOff();
        signal?.removeEventListener('abort', onAbort);
        this.#waiters.delete(wake);
      };
      const wake = () => {
        release();
        resolve();
      };
      const giveUp = (error: Error) => {
        release();
        reject(error);
      };
      const onAbort = () =>
        giveUp(
          new AbortedError(
            'REQUEST_ABORTED',
            'Waiting for the session to settle was aborted.',
            signal?.reason,
          ),
        );
      const callOff = this.#options.clock.after(deadlineMs, () =>
        giveUp(
          new CoxswainError(
            'REQUEST_TIMEOUT',
            `The session did not settle within ${deadlineMs} ms: ${this.#options.describe?.() ?? 'it is busy'}.`,
          ),
        ),
      );
      this.#waiters.add(wake);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
    });
  }

  #isSettled(): boolean {
    return !this.#options.isBusy() && (this.#over || this.#callOffGrace === undefined);
  }
}
