import { type Deferred, deferred } from './deferred.js';

/** A queue with one reader that never blocks its writer: past its bound the oldest entry is dropped. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #bound: number;
  #entries: T[] = [];
  #wake: Deferred<void> | undefined;
  #over = false;

  constructor(bound: number) {
    this.#bound = bound;
  }

  push(entry: T): void {
    if (this.#over) return;
    this.#entries.push(entry);
    if (this.#entries.length > this.#bound) this.#entries.shift();
    this.#wake?.resolve();
  }

  /** Ends the queue; the reader gets the remaining entries and then the end. */
  end(): void {
    this.#over = true;
    this.#wake?.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      const entry = this.#entries.shift();
      if (entry !== undefined) {
        yield entry;
        continue;
      }
      if (this.#over) return;
      this.#wake = deferred();
      await this.#wake.promise;
    }
  }
}
