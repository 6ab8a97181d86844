import type { LogEntry } from './entry.js';

/** The latest events, up to a limit; added from the last one backwards. */
export class Tail {
  #left: number;
  /** The number they start with. */
  start: number | undefined;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** Another one that starts in the same place. */
  copy(): Tail {
    const copy = new Tail(this.#left);
    copy.start = this.start;
    return copy;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  add({ n, rest }: LogEntry): void {
    if (this.isFull) return;
    this.#left -= rest.length;
    this.start = n;
  }
}
