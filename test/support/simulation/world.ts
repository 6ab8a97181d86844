import type { Clock } from '../../../src/wire/util/clock.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  over: boolean;
}

/** Virtual time and randomness. One seed decides everything that happens. */
export class World implements Clock {
  readonly #timers: Timer[] = [];
  #now = 0;
  #order = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    if (!Number.isFinite(ms)) return () => {};
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order, run, over: false };
    this.#order += 1;
    this.#push(timer);
    return () => {
      timer.over = true;
    };
  }

  /** A number from 0 to 1, without 1 (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `most`. */
  upTo(most: number): number {
    return Math.floor(this.random() * most);
  }

  /** Whether something with this probability happens now. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** A UUID; the same for the same seed. */
  uuid(): string {
    const hex = (digits: number) => Array.from({ length: digits }, () => this.upTo(16).toString(16)).join('');
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  }

  /** Runs work in virtual time, until it is done. @throws if nothing is left that could finish it. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    let [isDone, steps] = [false, 0];
    const done = work().finally(() => {
      isDone = true;
    });
    // Reported below, when it is awaited.
    done.catch(() => {});
    for (;;) {
      await (steps % 1_000 === 0 ? loaded() : settled());
      steps += 1;
      if (isDone) return done;
      if (!this.#step()) throw new Error('The work waits for something that never happens.');
    }
  }

  /** Runs timers until a time, or until none is left. */
  async pass(until: number): Promise<void> {
    for (;;) {
      await settled();
      const next = this.#timers[0];
      if (next === undefined || next.at > until) break;
      this.#step();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** The number of timers that are not called off. */
  get size(): number {
    return this.#timers.filter(({ over }) => !over).length;
  }

  #step(): boolean {
    for (;;) {
      const timer = this.#pop();
      if (timer === undefined) return false;
      if (timer.over) continue;
      timer.over = true;
      this.#now = timer.at;
      timer.run();
      return true;
    }
  }

  /** The timers are a heap: thousands are under way. */
  #push(timer: Timer): void {
    const heap = this.#timers;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(timer, heap[parent])) break;
      heap[at] = heap[parent] as Timer;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#timers;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (isBefore(heap[child + 1], heap[child])) child += 1;
      if (!isBefore(heap[child], last)) break;
      heap[at] = heap[child] as Timer;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Resolves when all promises of this moment have settled: Node takes the next tick when no other job is left. */
function settled(): Promise<void> {
  return new Promise((resolve) => void process.nextTick(resolve));
}

/** Resolves when the process has looked at everything else, such as modules that are being loaded. */
function loaded(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
