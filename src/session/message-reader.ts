import type { WireObject } from '../protocol/frames.js';

/** What a {@link MessageReader} reads from. */
export interface MessageSource {
  /** Takes the place of the only reader. @throws CoxswainError when it is taken. */
  begin(): void;
  take(): WireObject | undefined;
  /** Settles when there may be more. */
  more(): Promise<void>;
  /** How it ended, once nothing more will come. */
  over(): { readonly error: Error | undefined } | undefined;
  leave(): void;
}

type Result = IteratorResult<WireObject, void>;

const DONE: Result = { value: undefined, done: true };

/**
 * The loop of one reader. Written out, since an async generator spends more on each message than all the rest of its
 * way, and would not let a `return()` through while it waits.
 */
export class MessageReader implements AsyncIterator<WireObject, void, void> {
  readonly #source: MessageSource;
  #begun = false;
  #left = false;
  /** The last `next()` that waits; later ones wait for it. */
  #waiting: Promise<Result> | undefined;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  next(): Promise<Result> {
    if (this.#left) return Promise.resolve(DONE);
    if (!this.#begun) {
      try {
        this.#source.begin();
      } catch (error) {
        this.#left = true;
        return Promise.reject(error);
      }
      this.#begun = true;
    }
    const value = this.#waiting === undefined ? this.#source.take() : undefined;
    return value === undefined ? this.#later() : Promise.resolve({ value, done: false });
  }

  return(): Promise<Result> {
    this.#leave();
    return Promise.resolve(DONE);
  }

  #later(): Promise<Result> {
    const wait = () => this.#wait();
    const waiting = this.#waiting === undefined ? wait() : this.#waiting.then(wait, wait);
    this.#waiting = waiting;
    const forget = () => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
    waiting.then(forget, forget);
    return waiting;
  }

  async #wait(): Promise<Result> {
    while (!this.#left) {
      const value = this.#source.take();
      if (value !== undefined) return { value, done: false };
      const over = this.#source.over();
      if (over === undefined) await this.#source.more();
      else {
        this.#leave();
        if (over.error !== undefined) throw over.error;
      }
    }
    return DONE;
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    if (this.#begun) this.#source.leave();
  }
}
