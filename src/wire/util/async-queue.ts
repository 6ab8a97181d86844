import { Reader, type Source, type SourceEnd, type Taker } from './reader.js';

/**
 * A queue that never blocks its writer: above its limit the oldest entry is dropped. Each entry goes to one reader, the
 * first that waits; all of them see the end.
 */
export class AsyncQueue<T> implements AsyncIterable<T>, Source<T> {
  readonly #bound: number;
  readonly #takers = new Set<Taker<T>>();
  #entries: T[] = [];
  #over: SourceEnd | undefined;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get over(): SourceEnd | undefined {
    return this.#over;
  }

  push(entry: T): void {
    if (this.#over !== undefined) return;
    for (const taker of this.#takers) if (taker.give(entry)) return;
    this.#entries.push(entry);
    if (this.#entries.length > this.#bound) this.#entries.shift();
  }

  /** Ends the queue; its readers get the remaining entries and then the end. */
  end(): void {
    if (this.#over !== undefined) return;
    this.#over = { error: undefined };
    for (const taker of [...this.#takers]) taker.end(this.#over);
  }

  [Symbol.asyncIterator](): Reader<T> {
    return new Reader(this);
  }

  begin(taker: Taker<T>): void {
    this.#takers.add(taker);
  }

  take(): T | undefined {
    return this.#entries.shift();
  }

  leave(taker: Taker<T>): void {
    this.#takers.delete(taker);
  }
}
