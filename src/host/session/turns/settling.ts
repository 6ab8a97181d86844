import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { waitAtMost } from './wait-at-most.js';

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
 * After a background task ends, newer CLIs start a turn on their own: about 60 ms later, or when the running turn has
 * ended. If they told the running turn about the task, no other turn starts. This is the longest wait for one.
 */
const UNASKED_TURN_GRACE_MS = 2_000;

/** Knows when a session has nothing left to do: no turn, no waiting message, no background work. */
export class Settling {
  readonly #options: SettlingOptions;
  readonly #waiters = new Set<() => void>();
  #expectsTurn = false;
  #cancelGrace: (() => void) | undefined;
  #over = false;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Whether there is nothing left to do. */
  get isSettled(): boolean {
    return !this.#options.isBusy() && (this.#over || !this.#expectsTurn);
  }

  /** Something changed that may have ended the work. */
  changed(): void {
    if (this.isSettled) for (const wake of [...this.#waiters]) wake();
    else if (this.#options.isBusy()) this.#endGrace();
    else if (this.#expectsTurn) this.#cancelGrace ??= this.#startGrace();
  }

  /** A background task ended: the CLI is about to start a turn. */
  expectTurn(): void {
    this.#expectsTurn = true;
    this.#endGrace();
    this.changed();
  }

  /** That turn started, or will not start any more. Resolves no waits: the turn is only about to run. */
  turnCame(): void {
    this.#expectsTurn = false;
    this.#endGrace();
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

  async wait(options: SettledOptions = {}): Promise<void> {
    if (this.isSettled) return;
    const { clock, describe = () => 'it is busy' } = this.#options;
    const settled = deferred<void>();
    this.#waiters.add(settled.resolve);
    try {
      await waitAtMost(settled.promise, options, {
        clock,
        late: () => `The session did not settle within ${options.deadlineMs} ms: ${describe()}.`,
        aborted: 'Waiting for the session to settle was aborted.',
      });
    } finally {
      this.#waiters.delete(settled.resolve);
    }
  }

  #startGrace(): () => void {
    return this.#options.clock.after(UNASKED_TURN_GRACE_MS, () => {
      this.turnCame();
      this.changed();
    });
  }

  #endGrace(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = undefined;
  }
}
