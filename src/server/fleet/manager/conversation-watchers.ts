import type { FleetSession } from '../gateway/fleet-session.js';

/** Counts the watchers of a conversation in this program, which keep its CLI from being parked. */
export class ConversationWatchers {
  readonly #find: () => FleetSession | undefined;
  #count = 0;
  /** The session whose worker knows that there are watchers. */
  #told: FleetSession | undefined;

  constructor(find: () => FleetSession | undefined) {
    this.#find = find;
  }

  /** Adds a watcher; the returned function removes it. */
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

  /** Tells the worker whether there are watchers, if that or the session has changed. */
  tell(): void {
    const wanted = this.#count > 0 ? this.#find() : undefined;
    const before = this.#told;
    if (wanted === before) return;
    this.#told = wanted;
    if (before !== undefined && before === this.#find()) before.viewersChanged(-1);
    wanted?.viewersChanged(1);
  }

  /** Removes all watchers, because the program leaves. */
  close(): void {
    this.#count = 0;
    this.tell();
  }
}
