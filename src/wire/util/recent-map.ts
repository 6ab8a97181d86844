/**
 * A map that remembers its latest entries, as many as the limit and never more than twice that: the older half is
 * forgotten at once, which costs less than to forget entries one by one.
 */
export class RecentMap<K, V> {
  readonly #limit: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: K): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  get(key: K): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#limit && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}
