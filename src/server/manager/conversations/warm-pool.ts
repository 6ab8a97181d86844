import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../../host/session/session.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { LaunchOptions, WarmClis } from '../manager-options.js';
import type { Places } from './places.js';

/** The dependencies of {@link WarmPool}. */
export interface WarmPoolOptions {
  readonly sets: readonly WarmClis[];
  readonly idleMs: number;
  readonly clock: Clock;
  readonly places: Places;
  /** Starts a CLI with these options in addition to the default ones. */
  readonly start: (options: LaunchOptions) => Session;
  /** One could not be started. */
  readonly onFailed: (error: unknown) => void;
}

/** A CLI that was started in advance, with its slot. */
export interface Claim {
  readonly session: Session;
  readonly leave: () => void;
}

interface Warm extends Claim {
  readonly set: WarmClis;
  readonly stopTimer: () => void;
}

/** How soon a claimed one is replaced. */
const FILL_MS = 100;

/** CLIs started in advance, for conversations that have none yet. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  #ready: Warm[] = [];
  /** Those that were claimed or are no longer needed: whatever happens to them is not a failed start. */
  readonly #released = new WeakSet<Session>();
  #callOffFill: (() => void) | undefined;
  #closed = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /** Starts as many as are missing and have a slot. */
  fill(): void {
    for (const set of this.#options.sets) this.#fill(set);
  }

  /** One that was started with the same options; it is replaced by a new one. */
  claim(options: LaunchOptions): Claim | undefined {
    const warm = this.#ready.find(({ set }) => isDeepStrictEqual(set.options ?? {}, options));
    this.fillSoon();
    if (warm === undefined) return undefined;
    this.#ready = this.#ready.filter((other) => other !== warm);
    this.#released.add(warm.session);
    warm.stopTimer();
    return warm;
  }

  /** Starting a process blocks everything else for a moment: let the claimed one get its message first. */
  fillSoon(): void {
    const { clock, sets } = this.#options;
    if (sets.length === 0 || this.#closed || this.#callOffFill !== undefined) return;
    this.#callOffFill = clock.after(FILL_MS, () => {
      this.#callOffFill = undefined;
      try {
        this.fill();
      } catch (error) {
        this.#options.onFailed(error);
      }
    });
  }

  /** Ends one to make room, if there is one. */
  evict(): Promise<void> | undefined {
    const warm = this.#ready.pop();
    if (warm === undefined) return undefined;
    this.#released.add(warm.session);
    return this.#end(warm);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOffFill?.();
    for (const { session } of this.#ready) this.#released.add(session);
    await Promise.all(this.#ready.splice(0).map((warm) => this.#end(warm)));
  }

  #fill(set: WarmClis): void {
    const { places, start } = this.#options;
    const missing = set.count - this.#ready.filter((warm) => warm.set === set).length;
    for (let n = 0; n < missing && !this.#closed; n += 1) {
      const leave = places.spare();
      if (leave === undefined) return;
      try {
        this.#add(set, start(set.options ?? {}), leave);
      } catch (error) {
        leave();
        throw error;
      }
    }
  }

  #add(set: WarmClis, session: Session, leave: () => void): void {
    const { clock, idleMs } = this.#options;
    const drop = () => this.#drop(warm);
    const retire = () => {
      this.#released.add(session);
      drop();
    };
    const warm: Warm = { set, session, leave, stopTimer: clock.after(idleMs, retire) };
    this.#ready.push(warm);
    session.on('state', (state) => {
      if (state === 'ended') drop();
    });
    session.ready.catch((error: unknown) => {
      if (!this.#released.has(session)) this.#options.onFailed(error);
      drop();
    });
  }

  #drop(warm: Warm): void {
    if (!this.#ready.includes(warm)) return;
    this.#ready = this.#ready.filter((other) => other !== warm);
    void this.#end(warm);
  }

  async #end({ session, leave, stopTimer }: Warm): Promise<void> {
    stopTimer();
    // A session that cannot be closed has ended.
    await session.close().catch(() => {});
    leave();
  }
}
