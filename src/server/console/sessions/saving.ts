import type { Clock } from '../../../wire/util/clock.js';

/** The minimum time between two writes of a name; changes in between are written together. */
const PAUSE_MS = 1_000;

interface Pause {
  readonly stopTimer: () => void;
  /** Whether something has changed meanwhile. */
  changed: boolean;
}

/** Saves changes in sequence: immediately, and then not again for a while. */
export class Saving {
  readonly #clock: Clock;
  readonly #save: (id: string) => Promise<void>;
  readonly #pauses = new Map<string, Pause>();
  #work: Promise<void> = Promise.resolve();
  #finished = false;

  constructor({ clock, save }: { readonly clock: Clock; readonly save: (id: string) => Promise<void> }) {
    this.#clock = clock;
    this.#save = save;
  }

  /** Something under this name has changed. */
  changed(id: string): void {
    if (this.#finished) return;
    const pause = this.#pauses.get(id);
    if (pause !== undefined) {
      pause.changed = true;
      return;
    }
    this.#write(id);
    const stopTimer = this.#clock.after(PAUSE_MS, () => this.#resume(id));
    this.#pauses.set(id, { stopTimer, changed: false });
  }

  /** It no longer needs saving; resolves when no write is running. */
  async forget(id: string): Promise<void> {
    this.#pauses.get(id)?.stopTimer();
    this.#pauses.delete(id);
    await this.#work;
  }

  /** Saves all changes, and nothing after that; resolves when done. */
  async finish(): Promise<void> {
    this.#finished = true;
    for (const [id, { stopTimer, changed }] of this.#pauses) {
      stopTimer();
      if (changed) this.#write(id);
    }
    this.#pauses.clear();
    await this.#work;
  }

  #resume(id: string): void {
    const pause = this.#pauses.get(id);
    this.#pauses.delete(id);
    if (pause?.changed === true) this.changed(id);
  }

  #write(id: string): void {
    // If the disk fails, the list is lost after a restart, but not the sessions.
    this.#work = this.#work.then(() => this.#save(id)).catch(() => {});
  }
}
