import type { Clock } from '../../../../src/util/clock.js';

/** A clock that stands still until it is moved; `settle` lets everything that is due run. */
export class ManualClock implements Clock {
  #now = 0;
  #due: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#now + ms, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((each) => each !== entry);
    };
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Moves the time on, timer by timer, with room between them for what each sets off. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await breathe();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = next.at;
      this.#due = this.#due.filter((each) => each !== next);
      next.run();
      await breathe();
    }
    this.#now = until;
  }

  #next(until: number) {
    return this.#due.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
  }
}

async function breathe(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
