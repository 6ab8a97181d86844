import type { WireObject } from '../../../wire/protocol/frames.js';

/** How a source ended: in order, or with an error. */
export interface SourceEnd {
  readonly error: Error | undefined;
}

/** What a {@link MessageReader} reads from. */
export interface MessageSource {
  /** How it ended, once nothing more will come. */
  readonly over: SourceEnd | undefined;
  /** Makes this its only reader, to be given what it waits for. @throws CoxswainError when it has one. */
  begin(reader: MessageReader): void;
  take(): WireObject | undefined;
  leave(): void;
}

type Result = IteratorResult<WireObject, undefined>;

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

const DONE: Result = { value: undefined, done: true };

/**
 * The loop of one reader. Written out, since an async generator spends more on each message than all the rest of its
 * way, and would not let a `return()` through while it waits.
 */
export class MessageReader implements AsyncIterator<WireObject, undefined, void> {
  readonly #source: MessageSource;
  /** The calls of `next()` that wait, oldest first. While there are any, the source has nothing. */
  readonly #waiting: Waiting[] = [];
  #begun = false;
  #left = false;
  /** Why it was stopped while nobody waited; the next one who asks is told. */
  #unheard: Error | undefined;

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /** Takes its place at once: a reader that has begun makes the CLI wait when it is behind, and loses nothing. */
  begin(): this {
    try {
      this.#source.begin(this);
      this.#begun = true;
    } catch (error) {
      this.#left = true;
      throw error;
    }
    return this;
  }

  next(): Promise<Result> {
    if (this.#begun && !this.#left) {
      const value = this.#source.take();
      if (value !== undefined) return Promise.resolve({ value, done: false });
    }
    try {
      const result = this.#next();
      return result === undefined ? this.#wait() : Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return(): Promise<Result> {
    this.#leave();
    return Promise.resolve(DONE);
  }

  /** Ends the reading at once: whoever waits gets the error, or the end; if nobody does, the next call. */
  stop(error?: Error): void {
    if (this.#left) return;
    if (this.#waiting.length === 0) this.#unheard = error;
    else if (error !== undefined) this.#waiting.shift()?.reject(error);
    this.#leave();
  }

  /** Takes a message that it waits for; says whether it did. */
  give(message: WireObject): boolean {
    if (this.#waiting.length === 0) return false;
    this.#waiting.shift()?.resolve({ value: message, done: false });
    return true;
  }

  /** Nothing more will come. If it does not wait, it finds that out when it has read what is left. */
  end({ error }: SourceEnd): void {
    if (this.#waiting.length === 0) return;
    if (error !== undefined) this.#waiting.shift()?.reject(error);
    this.#leave();
  }

  /** What can be said at once; undefined if it has to wait. @throws the error that the source ended with, once. */
  #next(): Result | undefined {
    if (this.#left) return this.#last();
    if (!this.#begun) this.begin();
    const value = this.#source.take();
    if (value !== undefined) return { value, done: false };
    const { over } = this.#source;
    if (over === undefined) return undefined;
    this.#leave();
    if (over.error !== undefined) throw over.error;
    return DONE;
  }

  #last(): Result {
    const unheard = this.#unheard;
    this.#unheard = undefined;
    if (unheard !== undefined) throw unheard;
    return DONE;
  }

  #wait(): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    if (this.#begun) this.#source.leave();
    for (const { resolve } of this.#waiting.splice(0)) resolve(DONE);
  }
}
