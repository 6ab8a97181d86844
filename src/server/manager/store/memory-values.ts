import { storeClosed, type ValueStore } from './value-store.js';

/** Values that are gone with this process: for tests, and for what has its record elsewhere. */
export class MemoryValues implements ValueStore {
  readonly path = 'memory';
  readonly unreadable = 0;
  readonly #values = new Map<string, unknown>();
  #isClosed = false;

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  set(key: string, value: unknown): void {
    if (this.#isClosed) throw storeClosed();
    this.note(key, value);
  }

  note(key: string, value: unknown): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  remember(key: string, value: unknown): void {
    this.note(key, value);
  }

  together(work: () => void): void {
    work();
  }

  close(): void {
    this.#isClosed = true;
  }
}
