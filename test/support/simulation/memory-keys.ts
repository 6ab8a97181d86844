import { EngineError, type KeyState, type Keys } from '../../../src/server/fleet/engine/engine.js';
import type { Clock } from '../../../src/wire/util/clock.js';

/** For how long a removed key has a revision. */
const MARK_MS = 60_000;

interface Entry extends KeyState {
  readonly callOff: () => void;
  /** What happens to it after a time, unless it is written again. */
  readonly expire: { readonly ms: number; readonly run: () => void } | undefined;
}

/** Values by key, with expiry. */
export class MemoryKeys {
  readonly entries = new Map<string, Entry>();
  readonly watchers = new Set<(state: KeyState) => void>();
  readonly #clock: Clock;
  #revision = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string): KeyState {
    return this.entries.get(key) ?? { key, revision: 0, value: undefined };
  }

  put(key: string, text: string, { revision, seconds }: Parameters<Keys['put']>[2]): number {
    this.#check(key, revision);
    const expire = seconds === undefined ? undefined : { ms: seconds * 1000, run: () => this.mark(key) };
    return this.#set(key, JSON.parse(text), expire);
  }

  remove(key: string, revision: number | undefined): void {
    if (revision !== undefined) this.#check(key, revision);
    this.mark(key);
  }

  /** A copy of all; the returned function goes back to it. Leases live as long as they were to live then, from now on. */
  backup(): () => void {
    const entries = [...this.entries.values()];
    const revision = this.#revision;
    return () => {
      for (const { callOff } of this.entries.values()) callOff();
      this.entries.clear();
      this.#revision = revision;
      for (const { key, revision: of, value, expire } of entries) {
        const callOff = expire === undefined ? () => {} : this.#clock.after(expire.ms, expire.run);
        this.entries.set(key, { key, revision: of, value, callOff, expire });
        for (const watcher of this.watchers) watcher({ key, revision: of, value });
      }
    };
  }

  /** A removed or expired key has a revision for a while. */
  mark(key: string): void {
    this.#set(key, undefined, { ms: MARK_MS, run: () => void this.entries.delete(key) });
  }

  #check(key: string, revision: number): void {
    const now = this.find(key).revision;
    if (now !== revision)
      throw new EngineError('refused', `${key} has the revision ${now}, not ${revision}.`);
  }

  #set(key: string, value: unknown, expire: Entry['expire']): number {
    this.entries.get(key)?.callOff();
    this.#revision += 1;
    const state = { key, revision: this.#revision, value };
    const callOff = expire === undefined ? () => {} : this.#clock.after(expire.ms, expire.run);
    this.entries.set(key, { ...state, callOff, expire });
    for (const watcher of this.watchers) watcher(state);
    return this.#revision;
  }
}
