/** Who waits for a place. */
export interface PlaceRequest {
  readonly owner: string;
  /** Higher goes first. */
  readonly priority: number;
}

/** What {@link Places} works with. */
export interface PlacesOptions {
  /** How many CLIs may run at once. */
  readonly max: number;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Somebody waits and nothing is free: says whether one that is idle will be. */
  readonly onPressure: () => boolean;
}

/** One request, waiting or granted. */
export interface Place {
  /** Resolves to true when the place is taken, and to false if it was left before. */
  readonly granted: Promise<boolean>;
  /** How many are before it; 0 once granted. */
  readonly ahead: number;
  /** Gives the place back, or leaves the line. */
  leave(): void;
}

interface Waiting extends PlaceRequest {
  readonly since: number;
  readonly order: number;
  readonly grant: (granted: boolean) => void;
}

/** After waiting this long a request counts as one step of priority more: nobody waits forever. */
const AGING_MS = 30_000;

/** The places for running CLIs, and a line in which owners take turns. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #waiting: Waiting[] = [];
  /** Running places by owner, and when each owner was last served. */
  readonly #running = new Map<string, number>();
  readonly #served = new Map<string, number>();
  #taken = 0;
  #order = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Asks for a place. */
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
      order: this.#nextOrder(),
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

  /** A place that nobody waits for, taken at once; undefined if there is none. For CLIs started ahead. */
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

  #ahead(entry: Waiting): number {
    if (!this.#waiting.includes(entry)) return 0;
    return this.#waiting.filter((other) => other !== entry && this.#compare(other, entry) < 0).length;
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
      const next = this.#waiting.reduce((best, each) => (this.#compare(each, best) < 0 ? each : best));
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#taken += 1;
      this.#running.set(next.owner, (this.#running.get(next.owner) ?? 0) + 1);
      this.#served.set(next.owner, this.#nextOrder());
      next.grant(true);
    }
    this.#forgetOwners();
  }

  /** Priority first, then the owner with fewer places, then the one served longest ago, then who came first. */
  #compare(one: Waiting, other: Waiting): number {
    return (
      this.#priority(other) - this.#priority(one) ||
      (this.#running.get(one.owner) ?? 0) - (this.#running.get(other.owner) ?? 0) ||
      (this.#served.get(one.owner) ?? 0) - (this.#served.get(other.owner) ?? 0) ||
      one.order - other.order
    );
  }

  #priority({ priority, since }: Waiting): number {
    return priority + Math.floor((this.#options.now() - since) / AGING_MS);
  }

  /** Nobody waits: who was served when matters no more. */
  #forgetOwners(): void {
    this.#served.clear();
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }
}
