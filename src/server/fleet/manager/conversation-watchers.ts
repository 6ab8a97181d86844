import type { FleetSession } from '../gateway/fleet-session.js';

/** Those in this program who want the CLI of a conversation to keep running. */
export class ConversationWatchers {
  readonly #find: () => FleetSession | undefined;
  #count = 0;
  /** The session whose worker was told. */
  #told: FleetSession | undefined;

  constructor(find: () => FleetSession | undefined) {
    this.#find = find;
  }

  /** Adds one; the returned function removes it. */
  add(): () => void {
    let isOver = false;
    this.#count += 1;
    this.tell();
    return () => {
      if (!isOver) this.#count -= 1;
      isOver = true;
      this.tell();
    };
  }

  /** Tells the worker if that has changed, or if there is a conversation only now. */
  tell(): void {
    const wanted = this.#count > 0 ? this.#find() : undefined;
    const before = this.#told;
    if (wanted === before) return;
    this.#told = wanted;
    if (before !== undefined && before === this.#find()) before.viewersChanged(-1);
    wanted?.viewersChanged(1);
  }

  /** The program leaves. */
  close(): void {
    this.#count = 0;
    this.tell();
  }
}
