import type { WireObject } from '../../../wire/protocol/frames.js';
import { type LoginLimits, planLimitsAfter } from '../../../wire/protocol/reading/plan-limits.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { faultOf } from '../../../wire/util/option-checks.js';
import { storedLimits } from '../store/stored-shapes.js';
import type { ValueStore } from '../store/value-store.js';

export type { LimitWindow, LoginLimits, PlanLimits } from '../../../wire/protocol/reading/plan-limits.js';

/**
 * From which used share of a usage window on new work waits: one for all conversations, or by the least priority that it
 * is for. Conversations below all of them have the lowest one's.
 */
export type HoldAbove = number | Readonly<Record<number, number>>;

/** Whose work may have to wait. */
export interface HeldWork {
  /** The login of its CLIs. */
  readonly login: string;
  readonly priority: number;
}

/** Where managers that share logins tell each other what CLIs report. */
export interface LimitExchange {
  /** A CLI here has reported this. */
  tell(limits: LoginLimits): void;
  /** Calls with what CLIs elsewhere report, and have reported before. */
  listen(learn: (limits: LoginLimits) => void): void;
}

/** The dependencies of {@link PlanHolds}. */
export interface PlanHoldsOptions {
  readonly holdAbove: HoldAbove | undefined;
  readonly clock: Clock;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly exchange?: LimitExchange | undefined;
}

interface Waiting {
  readonly work: HeldWork;
  readonly open: () => void;
}

const KEY = 'limits/';
/** How long a window without a reset time holds back work after it was reported; then one turn tries again. */
const UNKNOWN_RESET_MS = 15 * 60_000;
/** Windows last a week; a later reset is misread or wrong, so it is tried again then. */
const LONGEST_MS = 8 * 24 * 3_600_000;
/** Timers may fire a moment early. */
const EARLY_MS = 2;

/**
 * The usage limits of each login, as its CLIs reported them last, also before a restart; and the work that waits while a
 * window is nearly full. All of it continues when the window resets, in order of priority.
 */
export class PlanHolds {
  readonly #journal: ValueStore;
  readonly #options: PlanHoldsOptions;
  readonly #latest = new Map<string, LoginLimits>();
  readonly #waiting = new Set<Waiting>();
  #callOff = () => {};

  constructor(journal: ValueStore, options: PlanHoldsOptions) {
    this.#journal = journal;
    this.#options = options;
    for (const [key, value] of journal.values)
      if (key.startsWith(KEY) && faultOf(storedLimits, value) === undefined) {
        // Checked a moment ago.
        const limits = value as LoginLimits;
        this.#latest.set(limits.login, limits);
      }
    options.exchange?.listen((limits) => this.#learn(limits));
  }

  /** The limits of every login. */
  get all(): readonly LoginLimits[] {
    return [...this.#latest.values()];
  }

  /** Takes a message of a CLI; returns the limits of its login if it reports them. */
  take(login: string, message: WireObject): LoginLimits | undefined {
    const limits = planLimitsAfter(this.#latest.get(login), message, this.#options.now());
    if (limits === undefined) return undefined;
    const known = { ...limits, login };
    this.#latest.set(login, known);
    this.#journal.note(KEY + login, known);
    this.#look();
    this.#options.exchange?.tell(known);
    return known;
  }

  #learn(limits: LoginLimits): void {
    if (limits.at <= (this.#latest.get(limits.login)?.at ?? 0)) return;
    this.#latest.set(limits.login, limits);
    this.#look();
  }

  /** Whether any work has to wait; without this, nobody needs to know logins. */
  get isUsed(): boolean {
    return this.#options.holdAbove !== undefined;
  }

  /** Until when new work has to wait, in milliseconds since 1970; undefined if it may begin. */
  heldUntil({ login, priority }: HeldWork): number | undefined {
    const limits = this.#latest.get(login);
    if (limits === undefined) return undefined;
    const now = this.#options.now();
    const threshold = thresholdFor(this.#options.holdAbove, priority);
    const ends = limits.windows
      .filter(({ utilization }) => utilization >= threshold)
      .map(({ resetsAt = limits.at + UNKNOWN_RESET_MS }) => Math.min(resetsAt, limits.at + LONGEST_MS))
      .filter((end) => end > now + EARLY_MS);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Resolves when some work may begin. `leave` ends the wait without that. */
  wait(work: HeldWork): { readonly open: Promise<void>; readonly leave: () => void } {
    const { promise, resolve } = deferred<void>();
    const waiting = { work, open: resolve };
    this.#waiting.add(waiting);
    this.#look();
    const leave = () => {
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#callOff();
    };
    return { open: promise, leave };
  }

  #look(): void {
    this.#callOff();
    const inOrder = [...this.#waiting].sort((one, other) => other.work.priority - one.work.priority);
    const ends = inOrder.map((each) => {
      const end = this.heldUntil(each.work);
      if (end !== undefined) return end;
      this.#waiting.delete(each);
      each.open();
      return Number.POSITIVE_INFINITY;
    });
    const next = Math.min(...ends);
    const { clock, now } = this.#options;
    this.#callOff = Number.isFinite(next) ? clock.after(next - now(), () => this.#look()) : () => {};
  }
}

/** The used share from which on work of a priority waits. */
function thresholdFor(holdAbove: HoldAbove = Number.POSITIVE_INFINITY, priority: number): number {
  if (typeof holdAbove === 'number') return holdAbove;
  const levels = Object.entries(holdAbove)
    .map(([least, share]) => ({ least: Number(least), share }))
    .sort((one, other) => one.least - other.least);
  const level = levels.findLast(({ least }) => least <= priority) ?? levels[0];
  return level?.share ?? Number.POSITIVE_INFINITY;
}
