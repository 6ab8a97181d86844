/** How many requests a key may make. */
export interface RateLimits {
  /** The number of requests per minute. */
  readonly perMinute: number;
  /** How many requests may come at once. */
  readonly burst: number;
}

/** The default limit per key. */
const DEFAULT_RATE_LIMITS: RateLimits = { perMinute: 1_200, burst: 300 };

/** Counts the requests of each key. */
export class RateLimit {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #keys = new Map<string, { left: number; at: number }>();

  constructor(limits: RateLimits = DEFAULT_RATE_LIMITS, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes one of a key's requests; returns the seconds to wait if none are left. */
  take(key: string): number | undefined {
    const { perMinute, burst } = this.#limits;
    const now = this.#now();
    this.#forget(now);
    const { left, at } = this.#keys.get(key) ?? { left: burst, at: now };
    const grown = Math.min(burst, left + ((now - at) * perMinute) / 60_000);
    this.#keys.set(key, { left: Math.max(0, grown < 1 ? grown : grown - 1), at: now });
    return grown < 1 ? Math.max(1, Math.ceil(((1 - grown) * 60) / perMinute)) : undefined;
  }

  /** Keys come and go; a key whose burst is full again can be forgotten. */
  #forget(now: number): void {
    if (this.#keys.size < 1_000) return;
    const { perMinute, burst } = this.#limits;
    for (const [key, { left, at }] of this.#keys)
      if (left + ((now - at) * perMinute) / 60_000 >= burst) this.#keys.delete(key);
  }
}
