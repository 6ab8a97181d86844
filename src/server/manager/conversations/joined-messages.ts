import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { Reader, type Source, type SourceEnd, type Taker } from '../../../wire/util/reader.js';

/** How many CLIs may have unread messages. */
const MAX_PARTS = 4;

/** Messages from several CLIs in sequence, for one reader. */
export class JoinedMessages implements AsyncIterable<WireObject>, Source<WireObject>, Taker<WireObject> {
  /** Unread sources; once there is a reader, the first one is being read. */
  readonly #parts: Source<WireObject>[] = [];
  #reader: Taker<WireObject> | 'none' | 'left' = 'none';
  #begun = false;
  #end: SourceEnd | undefined;
  readonly #onLeft: () => void;

  /** `onLeft` is called when the reader leaves. */
  constructor(onLeft: () => void = () => {}) {
    this.#onLeft = onLeft;
  }

  get over(): SourceEnd | undefined {
    return this.#parts.length === 0 ? this.#end : undefined;
  }

  get waits(): boolean {
    return typeof this.#reader === 'object' && this.#reader.waits;
  }

  [Symbol.asyncIterator](): Reader<WireObject> {
    return new Reader(this);
  }

  /** The next CLI has messages. */
  add(part: Source<WireObject>): void {
    if (this.#reader === 'left') {
      part.leave(this);
      return;
    }
    this.#parts.push(part);
    this.#dropOldest();
    this.#beginFirst();
    this.#goOn();
  }

  /** No more CLIs will follow. */
  finish(error?: Error): void {
    this.#end ??= { error };
    if (this.over !== undefined && typeof this.#reader === 'object') this.#reader.end(this.#end);
  }

  begin(reader: Taker<WireObject>): void {
    if (this.#reader !== 'none') {
      throw new CoxswainError('READER_TAKEN', 'These messages already have a reader: iterate a turn once.');
    }
    this.#reader = reader;
    this.#beginFirst();
  }

  take(): WireObject | undefined {
    for (let part = this.#parts[0]; part !== undefined; part = this.#parts[0]) {
      const message = part.take();
      if (message !== undefined) return message;
      if (part.over === undefined) return undefined;
      this.#next(part);
    }
    return undefined;
  }

  leave(): void {
    this.#reader = 'left';
    for (const part of this.#parts.splice(0)) part.leave(this);
    this.#onLeft();
  }

  give(message: WireObject): boolean {
    return typeof this.#reader === 'object' && this.#reader.give(message);
  }

  /** One CLI has no more messages. The end of the whole sequence says whether there was an error. */
  end(): void {
    this.#goOn();
  }

  /** Gives a waiting reader what is available. */
  #goOn(): void {
    while (this.waits) {
      const message = this.take();
      if (message === undefined) break;
      this.give(message);
    }
    if (this.over !== undefined && typeof this.#reader === 'object') this.#reader.end(this.over);
  }

  /** Nobody has read so many CLIs: the messages of the oldest one are lost, except those being read. */
  #dropOldest(): void {
    if (this.#parts.length <= MAX_PARTS) return;
    for (const part of this.#parts.splice(this.#begun ? 1 : 0, 1)) part.leave(this);
  }

  #next(part: Source<WireObject>): void {
    this.#parts.shift();
    part.leave(this);
    this.#begun = false;
    this.#beginFirst();
  }

  /**
   * Immediately, not on the first read: a source with a reader makes its CLI wait; any other drops what does
   * not fit.
   */
  #beginFirst(): void {
    if (this.#begun || typeof this.#reader !== 'object' || this.#parts.length === 0) return;
    this.#begun = true;
    this.#parts[0]?.begin(this);
  }
}
