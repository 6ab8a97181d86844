/** Runs jobs with the same key one at a time; jobs with different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Settles like the job, once the earlier jobs are done. */
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
