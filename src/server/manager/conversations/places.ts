/** Who is waiting for a slot. */
export interface PlaceRequest {
  readonly owner: string;
  /** Higher goes first. */
  readonly priority: number;
}

/** The dependencies of {@link Places}. */
export interface PlacesOptions {
  /** How many CLIs may run at once. */
  readonly max: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Someone is waiting and no slot is free. */
  readonly onPressure: () => void;
}

/** One request, waiting or granted. */
export interface Place {
  /** Resolves to true when the slot is taken, and to false if the request was dropped before. */
  readonly granted: Promise<boolean>;
  /** How many are ahead of it; undefined once granted. */
  readonly ahead: number | undefined;
  /** Releases the slot, or leaves the queue. */
  leave(): void;
}

interface Waiting extends PlaceRequest {
  readonly since: number;
  readonly number: number;
  readonly grant: (granted: boolean) => void;
}

/** Waiting this long raises a priority by one step: nobody waits forever. */
const AGING_MS = 30_000;

/** The slots for running CLIs, and a queue in which owners take turns. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #waiting: Waiting[] = [];
  /** Used slots by owner, and when each owner was last served. */
  readonly #running = new Map<string, number>();
  readonly #served = new Map<string, number>();
  #taken = 0;
  #numbers = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Requests a slot. */
  request({ owner, priority }: PlaceRequest): Place {
    let state: 'waiting' | 'granted' | 'left' = 'waiting';
    let resolve: (granted: boolean) => void = () => {};
    const granted = new Promise<boolean>((onGranted) => {
      resolve = onGranted;
    });
    const entry: Waiting = {
      owner,
      priority,
      since: this.#options.now(),
      number: this.#nextNumber(),
      grant: (given) => {
        state = given ? 'granted' : 'left';
        resolve(given);
      },
    };
    this.#waiting.push(entry);
    this.#serve();
    const places = this;
    return {
      granted,
      get ahead() {
        return places.#ahead(entry);
      },
      leave: () => {
        if (state === 'granted') this.#give(owner);
        else if (state === 'waiting') this.#withdraw(entry);
        state = 'left';
      },
    };
  }

  /**
   * A slot that nobody is waiting for, taken immediately; undefined if there is none. For CLIs started in
   * advance.
   */
  spare(): (() => void) | undefined {
    if (this.#taken >= this.#options.max || this.#waiting.length > 0) return undefined;
    this.#taken += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#taken -= 1;
      this.#serve();
    };
  }

  #ahead(entry: Waiting): number | undefined {
    if (!this.#waiting.includes(entry)) return undefined;
    const order = this.#order;
    return this.#waiting.filter((other) => other !== entry && order(other, entry) < 0).length;
  }

  #withdraw(entry: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    entry.grant(false);
  }

  #give(owner: string): void {
    this.#taken -= 1;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#serve();
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      if (this.#taken >= this.#options.max) {
        this.#options.onPressure();
        return;
      }
      const order = this.#order;
      const next = this.#waiting.reduce((best, each) => (order(each, best) < 0 ? each : best));
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#taken += 1;
      this.#running.set(next.owner, (this.#running.get(next.owner) ?? 0) + 1);
      this.#served.set(next.owner, this.#nextNumber());
      next.grant(true);
    }
    this.#forgetOwners();
  }

  /**
   * The order in which those who wait are served. Among the same priority: the owner with fewer slots, then the one served
   * longest ago, then first come, first served. Waiting raises a priority as a whole, and so never one owner above another.
   */
  get #order(): (one: Waiting, other: Waiting) => number {
    const raised = this.#raisedPriorities();
    const rank = ({ priority }: Waiting) => raised.get(priority) ?? priority;
    return (one, other) =>
      rank(other) - rank(one) ||
      other.priority - one.priority ||
      (this.#running.get(one.owner) ?? 0) - (this.#running.get(other.owner) ?? 0) ||
      (this.#served.get(one.owner) ?? 0) - (this.#served.get(other.owner) ?? 0) ||
      one.number - other.number;
  }

  /** Each priority, raised by how long its oldest request has waited. */
  #raisedPriorities(): ReadonlyMap<number, number> {
    const raised = new Map<number, number>();
    const now = this.#options.now();
    // They are in order of arrival.
    for (const { priority, since } of this.#waiting)
      if (!raised.has(priority)) raised.set(priority, priority + Math.floor((now - since) / AGING_MS));
    return raised;
  }

  /** Nobody is waiting: the history no longer matters. */
  #forgetOwners(): void {
    this.#served.clear();
  }

  #nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }
}
