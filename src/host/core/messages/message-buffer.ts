import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { Reader, type Source, type SourceEnd, type Taker } from '../../../wire/util/reader.js';

/** The capacity of a buffer. */
export interface BufferLimits {
  readonly messages: number;
  /** Characters of the messages' lines. */
  readonly characters: number;
}

/** Follows how full a buffer is; {@link Flow} implements it. */
export interface BufferWatcher {
  added(length: number): void;
  removed(length: number): void;
  full(buffer: object): void;
  drained(buffer: object): void;
}

/** Before its first read a buffer holds this many times more, because what does not fit then is lost, not just late. */
const UNREAD_FACTOR = 4;

/**
 * Messages for one reader. Before the first read it keeps what fits and counts what it drops; after that it requests a
 * pause instead. After `break` it drops everything.
 */
export class MessageBuffer implements AsyncIterable<WireObject>, Source<WireObject> {
  readonly #limits: BufferLimits;
  readonly #watcher: BufferWatcher;
  readonly #onDetached: ((buffer: MessageBuffer) => void) | undefined;
  /** The waiting messages, starting at `#head`, and the length of each line. */
  #messages: (WireObject | undefined)[] = [];
  #lengths: number[] = [];
  #head = 0;
  #characters = 0;
  #dropped = 0;
  #reader: Taker<WireObject> | 'none' | 'detached' = 'none';
  #over: SourceEnd | undefined;
  /** Whether the watcher knows that it is full. */
  #toldFull = false;
  /** Whether its contents count against the session; those of a finished turn that nobody reads do not. */
  #counts = true;

  /** `onDetached` is called when nobody will read it any more. */
  constructor(limits: BufferLimits, watcher: BufferWatcher, onDetached?: (buffer: MessageBuffer) => void) {
    this.#limits = limits;
    this.#watcher = watcher;
    this.#onDetached = onDetached;
  }

  /** The number of dropped messages: they arrived before any reader and did not fit, or after the reader left. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How it ended, once nothing more will come. */
  get over(): SourceEnd | undefined {
    return this.#over;
  }

  push(message: WireObject, length: number): void {
    const reader = this.#reader;
    if (this.#over !== undefined || reader === 'detached' || (reader === 'none' && this.#isFull)) {
      this.#dropped += 1;
      return;
    }
    // A message that a reader waits for is not buffered at all.
    if (reader !== 'none' && reader.give(message)) return;
    this.#messages.push(message);
    this.#lengths.push(length);
    this.#characters += length;
    this.#watcher.added(length);
    if (reader !== 'none' && !this.#toldFull && this.#isFull) this.#tellFull();
  }

  /** Nothing more will come: the reader gets the rest and then the end, or the error. */
  end(error?: Error): void {
    if (this.#over !== undefined) return;
    this.#over = { error };
    if (this.#reader === 'none') this.#stopCounting();
    this.#tellDrained();
    if (typeof this.#reader === 'object') this.#reader.end(this.#over);
  }

  /** Drops waiting messages; the reader does not get them. */
  discard(): void {
    this.#dropped += this.#size;
    if (this.#counts) this.#watcher.removed(this.#characters);
    this.#characters = 0;
    this.#forget();
    this.#tellDrained();
  }

  /** Reads all messages; only one reader is allowed. Leaving the loop detaches it. */
  [Symbol.asyncIterator](): Reader<WireObject> {
    return new Reader(this);
  }

  begin(reader: Taker<WireObject>): void {
    if (this.#reader !== 'none') {
      throw new CoxswainError('READER_TAKEN', 'These messages already have a reader: iterate a turn once.');
    }
    this.#reader = reader;
    if (this.#isFull) this.#tellFull();
  }

  take(): WireObject | undefined {
    const head = this.#head;
    const message = this.#messages[head];
    if (message === undefined) return undefined;
    const length = this.#lengths[head] ?? 0;
    // The list must not keep a message alive after it was read.
    this.#messages[head] = undefined;
    this.#head = head + 1;
    this.#characters -= length;
    if (this.#head === this.#messages.length) this.#forget();
    else if (this.#head > 1024 && this.#head * 2 > this.#messages.length) this.#compact();
    if (this.#counts) this.#watcher.removed(length);
    if (this.#toldFull && this.#hasRoom) this.#tellDrained();
    return message;
  }

  leave(): void {
    this.#reader = 'detached';
    this.discard();
    this.#counts = false;
    this.#onDetached?.(this);
  }

  get #size(): number {
    return this.#messages.length - this.#head;
  }

  get #isFull(): boolean {
    const { messages, characters } = this.#limits;
    const factor = this.#reader === 'none' ? UNREAD_FACTOR : 1;
    return this.#size >= messages * factor || this.#characters >= characters * factor;
  }

  get #hasRoom(): boolean {
    const { messages, characters } = this.#limits;
    return this.#size <= messages / 2 && this.#characters <= characters / 2;
  }

  #tellFull(): void {
    this.#toldFull = true;
    this.#watcher.full(this);
  }

  #tellDrained(): void {
    this.#toldFull = false;
    this.#watcher.drained(this);
  }

  #forget(): void {
    this.#messages = [];
    this.#lengths = [];
    this.#head = 0;
  }

  #compact(): void {
    this.#messages = this.#messages.slice(this.#head);
    this.#lengths = this.#lengths.slice(this.#head);
    this.#head = 0;
  }

  #stopCounting(): void {
    if (this.#counts) this.#watcher.removed(this.#characters);
    this.#counts = false;
  }
}
