import { type Clock, systemClock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { quiet } from '../../../wire/util/listeners.js';
import type { Login } from './login.js';

/** CLIs renew a login that ends within this time, right after they start. */
const AHEAD_MS = 5 * 60_000;
/** A CLI that renews it holds a lock this soon after it was started, even an old one on a busy machine. */
const LOCKED_WITHIN_MS = 6_000;
/** A CLI stops trying after 30 seconds. */
const LONGEST_MS = 35_000;
const LOOK_MS = 200;

/** What a wait depends on, as a parameter. */
export interface SpreadParts {
  readonly clock?: Clock | undefined;
  /** Milliseconds since 1970, as in the login's file. */
  readonly now?: (() => number) | undefined;
}

/** The first start after a login came near its end. */
interface Leader {
  readonly expiresAt: number;
  readonly startedAt: number;
  /** It ended without a new login, so waiting for it helps nobody. */
  readonly gaveUp: boolean;
}

/**
 * Spreads the starts of CLIs that share a login which is about to end: the first one renews it, the others wait until
 * it has. CLIs that start together would all try, and most of them give up after a few seconds with the old token.
 */
export class StartSpread {
  readonly #clock: Clock;
  readonly #now: () => number;
  /** By the login's file. */
  readonly #leaders = new Map<string, Leader>();

  constructor({ clock = systemClock, now = Date.now }: SpreadParts = {}) {
    this.#clock = clock;
    this.#now = now;
  }

  /** Resolves when a CLI with this login may start, after 35 seconds at most. */
  async pass(login: Login, onDiagnostic?: OnDiagnostic | null): Promise<void> {
    const until = this.#clock.now() + LONGEST_MS;
    let isTold = false;
    while (!this.#mayStart(login) && this.#clock.now() < until) {
      if (!isTold) quiet(onDiagnostic)({ code: 'LOGIN_AWAITED', message: AWAITED });
      isTold = true;
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve));
    }
  }

  #mayStart(login: Login): boolean {
    const { expiresAt } = login;
    const now = this.#now();
    if (expiresAt === undefined || expiresAt - now > AHEAD_MS) {
      this.#leaders.delete(login.file);
      return true;
    }
    const found = this.#leaders.get(login.file);
    const leader = found?.expiresAt === expiresAt ? found : undefined;
    if (leader?.gaveUp === true) return true;
    if (login.isBeingRenewed(now)) return false;
    if (leader === undefined) {
      this.#leaders.set(login.file, { expiresAt, startedAt: this.#clock.now(), gaveUp: false });
      return true;
    }
    if (this.#clock.now() - leader.startedAt < LOCKED_WITHIN_MS) return false;
    this.#leaders.set(login.file, { ...leader, gaveUp: true });
    return true;
  }
}

const AWAITED =
  'The login of this CLI is about to end, and another CLI is renewing it: the start waits for that, 35 seconds at most.';
