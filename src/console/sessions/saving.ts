import type { Clock } from '../../util/clock.js';

/** How soon a change is written down; what changes until then is written with it. */
const SOON_MS = 1_000;

/** Writes down what has changed, a moment later and one after the other. */
export class Saving {
  readonly #clock: Clock;
  readonly #save: (id: string) => Promise<void>;
  readonly #due = new Map<string, () => void>();
  #work: Promise<void> = Promise.resolve();

  constructor({ clock, save }: { readonly clock: Clock; readonly save: (id: string) => Promise<void> }) {
    this.#clock = clock;
    this.#save = save;
  }

  /** Something of this name has changed. */
  soon(id: string): void {
    if (this.#due.has(id)) return;
    this.#due.set(
      id,
      this.#clock.after(SOON_MS, () => this.#now(id)),
    );
  }

  /** It need not be written any more; resolves when nothing is being written. */
  async forget(id: string): Promise<void> {
    this.#due.get(id)?.();
    this.#due.delete(id);
    await this.#work;
  }

  /** Writes all that is due at once; resolves when it is done. */
  async finish(): Promise<void> {
    for (const [id, callOff] of [...this.#due]) {
      callOff();
      this.#now(id);
    }
    await this.#work;
  }

  #now(id: string): void {
    this.#due.delete(id);
    // A disk that fails costs the list after a restart, not the sessions.
    this.#work = this.#work.then(() => this.#save(id)).catch(() => {});
  }
}
