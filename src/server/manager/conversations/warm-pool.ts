import type { Session } from '../../../host/session/session.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { Places } from './places.js';

/** What {@link WarmPool} works with. */
export interface WarmPoolOptions {
  readonly size: number;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly places: Places;
  readonly start: () => Session;
}

/** A CLI that was started ahead, with the place that it has. */
export interface Claim {
  readonly session: Session;
  readonly leave: () => void;
}

interface Warm extends Claim {
  readonly callOff: () => void;
}

/** CLIs that were started ahead, for conversations that have none yet. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  readonly #ready: Warm[] = [];
  #closed = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /** Starts as many as are missing and have a place. */
  fill(): void {
    const { size, places, start } = this.#options;
    while (!this.#closed && this.#ready.length < size) {
      const leave = places.spare();
      if (leave === undefined) return;
      this.#add(start(), leave);
    }
  }

  /** One that is ready to be used; another one is started in its place. */
  claim(): Claim | undefined {
    const warm = this.#ready.shift();
    if (warm === undefined) return undefined;
    warm.callOff();
    queueMicrotask(() => this.fill());
    return warm;
  }

  /** Ends one to make room; says whether there was one. */
  evict(): boolean {
    const warm = this.#ready.pop();
    if (warm !== undefined) void this.#end(warm);
    return warm !== undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#ready.splice(0).map((warm) => this.#end(warm)));
  }

  #add(session: Session, leave: () => void): void {
    const { clock, idleMs } = this.#options;
    const drop = () => this.#drop(warm);
    const warm: Warm = { session, leave, callOff: clock.after(idleMs, drop) };
    this.#ready.push(warm);
    session.on('state', (state) => {
      if (state === 'ended') drop();
    });
    session.ready.catch(drop);
  }

  #drop(warm: Warm): void {
    const index = this.#ready.indexOf(warm);
    if (index === -1) return;
    this.#ready.splice(index, 1);
    void this.#end(warm);
  }

  async #end({ session, leave, callOff }: Warm): Promise<void> {
    callOff();
    await session.close().catch(() => {});
    leave();
  }
}
