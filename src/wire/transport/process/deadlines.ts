/** A time by which a host must be heard of again. */
export interface Deadline {
  /** All children are ended at once unless this is called again within so many milliseconds. */
  extend(ms: number): void;
  /** No child is ended for the sake of this deadline any more. */
  release(): void;
}

/** The deadlines of a host: the nearest one counts. */
export class Deadlines {
  readonly #times = new Map<object, number>();
  readonly #now: () => number;
  readonly #onChange: () => void;

  constructor(now: () => number, onChange: () => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  add(): Deadline {
    const key = {};
    return {
      extend: (ms) => {
        this.#times.set(key, this.#now() + ms);
        this.#onChange();
      },
      release: () => {
        if (this.#times.delete(key)) this.#onChange();
      },
    };
  }

  /** Milliseconds until the nearest one; undefined where there is none. */
  get left(): number | undefined {
    if (this.#times.size === 0) return undefined;
    return Math.max(0, Math.min(...this.#times.values()) - this.#now());
  }
}
