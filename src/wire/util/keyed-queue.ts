/** Runs jobs of the same key one after the other; jobs of different keys run side by side. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the job does, once those before it are over. */
  run<Value>(key: string, job: () => Promise<Value>): Promise<Value> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const own = before.then(job);
    const tail = own
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return own;
  }
}
