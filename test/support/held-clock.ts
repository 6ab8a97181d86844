import { type Clock, systemClock } from '../../src/wire/util/clock.js';

/** The real time, except that timers of one length wait until a test lets them run. */
export class HeldClock implements Clock {
  readonly #heldMs: number;
  readonly #held = new Set<() => void>();

  constructor(heldMs: number) {
    this.#heldMs = heldMs;
  }

  now(): number {
    return systemClock.now();
  }

  after(ms: number, run: () => void): () => void {
    if (ms !== this.#heldMs) return systemClock.after(ms, run);
    this.#held.add(run);
    return () => this.#held.delete(run);
  }

  /** How many timers wait. */
  get size(): number {
    return this.#held.size;
  }

  /** Runs those that wait now. */
  letRun(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const run of held) run();
  }
}
