import type { Clock } from '../../src/wire/util/clock.js';
import { settle } from './settle.js';

/** A clock that a test advances by hand. */
export class ManualClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    if (!Number.isFinite(ms)) return () => {};
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** The number of timers: none may be left when their owner is done. */
  get size(): number {
    return this.#timers.length;
  }

  /** Advances the time and runs due timers, earliest first. */
  advance(ms: number): void {
    const until = this.#now + ms;
    while (this.#runNext(until));
    this.#now = until;
  }

  /** The same, yielding between the timers. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    do await settle(3);
    while (this.#runNext(until));
    this.#now = until;
  }

  #runNext(until: number): boolean {
    const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined || next.at > until) return false;
    this.#timers = this.#timers.filter((other) => other !== next);
    this.#now = next.at;
    next.run();
    return true;
  }
}
