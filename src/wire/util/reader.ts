/** How a source ended: in order, or with an error. */
export interface SourceEnd {
  readonly error: Error | undefined;
}

/** Takes values from a source. */
export interface Taker<T> {
  /** Whether it waits for the next value. */
  readonly waits: boolean;
  /** Accepts a value if it waits for one; returns whether it did. */
  give(value: T): boolean;
  /** Nothing more will come. If it does not wait, it finds out after reading the rest. */
  end(end: SourceEnd): void;
}

/** What a {@link Reader} reads from. */
export interface Source<T> {
  /** How it ended, once nothing more will come. */
  readonly over: SourceEnd | undefined;
  /** Gives this taker every value that it waits for from now on. @throws CoxswainError if there is no place for it. */
  begin(taker: Taker<T>): void;
  /** The next buffered value. */
  take(): T | undefined;
  /** This taker wants no more values. */
  leave(taker: Taker<T>): void;
}

interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const DONE = { value: undefined, done: true } as const;

/**
 * The reading loop behind everything here that can be iterated while it grows. Written out, because an async generator
 * costs more per value than all other steps together, and would block a `return()` while it waits.
 */
export class Reader<T> implements AsyncIterator<T, undefined, void>, Taker<T> {
  readonly #source: Source<T>;
  /** The pending calls of `next()`, oldest first. While there are any, the source has nothing. */
  readonly #waiting: Waiting<T>[] = [];
  #begun = false;
  #left = false;
  /** Why it was stopped while nobody waited; the next call gets it. */
  #unheard: Error | undefined;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes its place immediately: from then on the CLI waits when the reader is behind, and nothing is lost. */
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

  next(): Promise<IteratorResult<T, undefined>> {
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

  return(): Promise<IteratorResult<T, undefined>> {
    this.#leave();
    return Promise.resolve(DONE);
  }

  /** Ends reading immediately: a waiting reader gets the error or the end; otherwise the next call does. */
  stop(error?: Error): void {
    if (this.#left) return;
    if (this.#waiting.length === 0) this.#unheard = error;
    else if (error !== undefined) this.#waiting.shift()?.reject(error);
    this.#leave();
  }

  give(value: T): boolean {
    if (this.#waiting.length === 0) return false;
    this.#waiting.shift()?.resolve({ value, done: false });
    return true;
  }

  end({ error }: SourceEnd): void {
    if (this.#waiting.length === 0) return;
    if (error !== undefined) this.#waiting.shift()?.reject(error);
    this.#leave();
  }

  /** What can be returned immediately; undefined if it has to wait. @throws the error that the source ended with, once. */
  #next(): IteratorResult<T, undefined> | undefined {
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

  #last(): IteratorResult<T, undefined> {
    const unheard = this.#unheard;
    this.#unheard = undefined;
    if (unheard !== undefined) throw unheard;
    return DONE;
  }

  #wait(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    if (this.#begun) this.#source.leave(this);
    for (const { resolve } of this.#waiting.splice(0)) resolve(DONE);
  }
}
