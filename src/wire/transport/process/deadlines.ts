/** A deadline that a host must keep extending. */
export interface Deadline {
  /** Ends all children unless this is called again within so many milliseconds. */
  extend(ms: number): void;
  /** Removes the deadline. */
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

  /** Milliseconds until the nearest deadline; undefined if there is none. */
  get left(): number | undefined {
    if (this.#times.size === 0) return undefined;
    return Math.max(0, Math.min(...this.#times.values()) - this.#now());
  }
}
