import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import type { StoreMirror } from './mirror.js';

type Next = IteratorResult<WireObject, undefined>;

/** Reads messages until it is stopped. */
export interface StoppableReader {
  next(): Promise<Next>;
  /** Ends reading immediately: a waiting reader gets the error or the end; otherwise the next call does. */
  stop(error?: Error): void;
}

const DONE: Next = { value: undefined, done: true };

/** Delivers a turn's result once the store has the turn; failures of the store are delivered before that. */
export class MirroredReader implements StoppableReader {
  readonly #inner: StoppableReader;
  readonly #mirror: StoreMirror;
  readonly #waiting = new Set<Deferred<Next>>();
  /** What is delivered before anything else is read. */
  readonly #inserted: WireObject[] = [];
  #order: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(inner: StoppableReader, mirror: StoreMirror) {
    this.#inner = inner;
    this.#mirror = mirror;
  }

  next(): Promise<Next> {
    if (this.#stopped) return this.#inner.next();
    const waiting = deferred<Next>();
    this.#waiting.add(waiting);
    // One after another, as with any generator: a result may be held for a moment.
    this.#order = this.#order.then(() => this.#serve(waiting));
    return waiting.promise;
  }

  stop(error?: Error): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const [first, ...others] = this.#waiting;
    this.#inner.stop(first === undefined ? error : undefined);
    if (error === undefined) first?.resolve(DONE);
    else first?.reject(error);
    for (const other of others) other.resolve(DONE);
  }

  async #serve(waiting: Deferred<Next>): Promise<void> {
    try {
      waiting.resolve(await this.#next());
    } catch (error) {
      waiting.reject(error);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  async #next(): Promise<Next> {
    for (;;) {
      const inserted = this.#inserted.shift();
      if (inserted !== undefined) return { done: false, value: inserted };
      const next = await this.#inner.next();
      if (next.done !== true && next.value.type !== 'result') return next;
      await this.#mirror.flush();
      this.#inserted.push(...this.#mirror.takeFailures());
      if (next.done !== true) this.#inserted.push(next.value);
      else if (this.#inserted.length === 0) return DONE;
    }
  }
}
