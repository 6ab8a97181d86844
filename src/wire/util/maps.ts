/**
 * A map whose entries come and go, such as open requests. V8 links each table that a Map has outgrown to the next one: once
 * one of them is in the old generation, everything that was ever in the others stays until a full collection. Copying now
 * and then drops the old hash tables.
 */
export class PassingMap<K, V> {
  #map = new Map<K, V>();
  #added = 0;

  get size(): number {
    return this.#map.size;
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    this.#added += 1;
    // The copied part is limited by what was added since: the cost per entry is constant.
    if (this.#added > ADDED_AT_LEAST + 4 * this.#map.size) {
      this.#map = new Map(this.#map);
      this.#added = 0;
    }
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    return this.#map.delete(key);
  }

  /** A snapshot of the keys, oldest first. */
  keys(): readonly K[] {
    return [...this.#map.keys()];
  }

  /** A snapshot of the values, oldest first. */
  values(): readonly V[] {
    return [...this.#map.values()];
  }

  /** A snapshot of the entries, oldest first. */
  entries(): readonly (readonly [K, V])[] {
    return [...this.#map];
  }
}

/** The minimum number of additions between two copies. */
const ADDED_AT_LEAST = 64;

/**
 * A map that remembers its latest entries: at least as many as the limit, and never more than twice that. The older half
 * is dropped at once, which costs less than dropping entries one by one.
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
