import type { BrokenFrame, RefusalFrame, SuccessFrame } from '../protocol/frames.js';
import { type Clock, systemClock } from '../util/clock.js';
import { AbortedError, CoxswainError } from '../util/errors.js';
import { PassingMap, RecentMap } from '../util/maps.js';
import { RefusedError } from './refused-error.js';

/** How a request waits for its answer. */
export interface PendingOptions {
  /** The subtype of the request, for errors and for `labels`. */
  readonly label: string;
  /** The deadline; with `Infinity` only the signal or the end stops the wait. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What an answer belongs to: a waiting request, a settled one, or none. */
export type Match = 'settled' | 'late' | 'unknown';

interface Pending {
  readonly label: string;
  readonly resolve: (answer: SuccessFrame) => void;
  readonly reject: (error: Error) => void;
  readonly deadlineMs: number;
  /** The deadline as a clock time. */
  readonly dueAt: number;
  readonly signal: AbortSignal | undefined;
}

/** The requests that one signal cancels. */
interface Abortable {
  readonly ids: Set<string>;
  readonly onAbort: () => void;
}

/** How many settled ids are remembered, to tell a late answer from an unknown one. */
const REMEMBERED = 256;

/** Requests that were sent but not answered yet. Each settles once, with the first answer, and is then forgotten. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #onGiveUp: (id: string) => void;
  readonly #open = new PassingMap<string, Pending>();
  readonly #settled = new RecentMap<string, true>(REMEMBERED);
  /** One listener serves all requests of a signal: adding or removing a listener scans all of the signal's listeners. */
  readonly #abortable = new Map<AbortSignal, Abortable>();

  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelWake = () => {};

  /** `onGiveUp` is called when a deadline or signal ends a wait, so that the other side can be told too. */
  constructor(clock: Clock = systemClock, onGiveUp: (id: string) => void = () => {}) {
    this.#clock = clock;
    this.#onGiveUp = onGiveUp;
  }

  /** What is being waited for, in the order it was requested. */
  get labels(): readonly string[] {
    return this.#open.values().map(({ label }) => label);
  }

  /** Waits for the answer to `id`. Timer and abort listener are released on every path. */
  open(id: string, { label, deadlineMs, signal }: PendingOptions): Promise<SuccessFrame> {
    return new Promise((resolve, reject) => {
      const dueAt = this.#clock.now() + deadlineMs;
      if (signal !== undefined) this.#listen(signal, id);
      this.#open.set(id, { label, resolve, reject, deadlineMs, dueAt, signal });
      if (dueAt < this.#wakeAt) this.#wakeBy(dueAt);
    });
  }

  /** Settles the request that an answer belongs to. */
  settle(answer: SuccessFrame | RefusalFrame | (BrokenFrame & { readonly id: string })): Match {
    const pending = this.#take(answer.id);
    if (pending === undefined) return this.#settled.has(answer.id) ? 'late' : 'unknown';
    if (answer.kind === 'success') pending.resolve(answer);
    else if (answer.kind === 'refusal')
      pending.reject(new RefusedError(pending.label, answer.error, answer.errorCode));
    else pending.reject(brokenError(pending.label, answer.problem));
    return 'settled';
  }

  /** Fails one request, if it is still waiting. */
  reject(id: string, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** Fails all waiting requests with one cause. */
  rejectAll(error: Error): void {
    for (const id of this.#open.keys()) this.reject(id, error);
  }

  #take(id: string): Pending | undefined {
    const pending = this.#open.get(id);
    if (pending === undefined) return undefined;
    this.#open.delete(id);
    this.#settled.set(id, true);
    if (pending.signal !== undefined) this.#forget(pending.signal, id);
    if (this.#open.size === 0) this.#wakeBy(Number.POSITIVE_INFINITY);
    return pending;
  }

  #listen(signal: AbortSignal, id: string): void {
    const known = this.#abortable.get(signal);
    if (known !== undefined) {
      known.ids.add(id);
      return;
    }
    const ids = new Set([id]);
    const onAbort = () => {
      for (const each of [...ids]) {
        const label = this.#open.get(each)?.label ?? '';
        this.#giveUp(each, abortedError(label, signal.reason));
      }
    };
    this.#abortable.set(signal, { ids, onAbort });
    signal.addEventListener('abort', onAbort);
  }

  #forget(signal: AbortSignal, id: string): void {
    const known = this.#abortable.get(signal);
    known?.ids.delete(id);
    if (known === undefined || known.ids.size > 0) return;
    this.#abortable.delete(signal);
    signal.removeEventListener('abort', known.onAbort);
  }

  #giveUp(id: string, error: Error): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    this.#onGiveUp(id);
    pending.reject(error);
  }

  /** One timer serves all waits: only the earliest deadline is watched. */
  #wakeBy(dueAt: number): void {
    this.#cancelWake();
    this.#wakeAt = dueAt;
    this.#cancelWake = this.#clock.after(dueAt - this.#clock.now(), () => this.#expire());
  }

  #expire(): void {
    const now = this.#clock.now();
    for (const [id, { label, deadlineMs, dueAt }] of this.#open.entries())
      if (dueAt <= now) this.#giveUp(id, timeoutError(label, deadlineMs));
    // Compared one by one: a function takes only a limited number of arguments.
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#open.values()) next = Math.min(next, dueAt);
    this.#wakeBy(next);
  }
}

/** The error of a request whose caller aborted it. */
export function abortedError(label: string, cause: unknown): CoxswainError {
  return new AbortedError('REQUEST_ABORTED', `${label} was aborted by its caller.`, cause);
}

function timeoutError(label: string, deadlineMs: number): CoxswainError {
  return new CoxswainError(
    'REQUEST_TIMEOUT',
    `The CLI did not answer ${label} within ${deadlineMs} ms. Old CLIs never answer unknown requests.`,
  );
}

function brokenError(label: string, problem: string): CoxswainError {
  return new CoxswainError('PROTOCOL_ERROR', `The answer to ${label} breaks the protocol: ${problem}.`);
}
