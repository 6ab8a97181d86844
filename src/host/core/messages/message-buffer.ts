import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { MessageReader, type SourceEnd } from './message-reader.js';

/** How much a buffer holds before it is full. */
export interface BufferLimits {
  readonly messages: number;
  /** Characters of the lines that the messages came in. */
  readonly characters: number;
}

/** Whom a buffer tells how full it is; {@link Flow} is one. */
export interface BufferWatcher {
  added(length: number): void;
  removed(length: number): void;
  full(buffer: object): void;
  drained(buffer: object): void;
  /** Nobody will read it any more. */
  detached?(buffer: MessageBuffer): void;
}

interface Entry {
  readonly message: WireObject;
  readonly length: number;
}

/** Before its first read a buffer holds this many times more: what it does not hold then is lost, not only late. */
const UNREAD_FACTOR = 4;

/**
 * Messages on their way to one reader. Before its first read it holds what fits and counts what it drops;
 * from then on it asks for a pause instead. After `break` it drops everything.
 */
export class MessageBuffer implements AsyncIterable<WireObject> {
  readonly #limits: BufferLimits;
  readonly #watcher: BufferWatcher;
  #entries: (Entry | undefined)[] = [];
  #head = 0;
  #characters = 0;
  #dropped = 0;
  #reader: MessageReader | 'none' | 'detached' = 'none';
  #over: SourceEnd | undefined;
  /** Whether what it holds counts against the session; a finished turn that nobody reads does not. */
  #counts = true;

  constructor(limits: BufferLimits, watcher: BufferWatcher) {
    this.#limits = limits;
    this.#watcher = watcher;
  }

  /** How many messages nobody will see: they came before any reader and did not fit, or after it left. */
  get dropped(): number {
    return this.#dropped;
  }

  push(message: WireObject, length: number): void {
    if (
      this.#over !== undefined ||
      this.#reader === 'detached' ||
      (this.#reader === 'none' && this.#isFull)
    ) {
      this.#dropped += 1;
      return;
    }
    // What a reader waits for is not held at all.
    if (this.#reader !== 'none' && this.#reader.give(message)) return;
    this.#entries.push({ message, length });
    this.#characters += length;
    this.#watcher.added(length);
    if (this.#reader !== 'none' && this.#isFull) this.#watcher.full(this);
  }

  /** No more will come: the reader sees what is left and then the end, or the error. */
  end(error?: Error): void {
    if (this.#over !== undefined) return;
    this.#over = { error };
    if (this.#reader === 'none') this.#stopCounting();
    this.#watcher.drained(this);
    if (this.#reader instanceof MessageReader) this.#reader.end(this.#over);
  }

  /** Drops what waits: whoever reads gets no more of it. */
  discard(): void {
    this.#dropped += this.#size;
    if (this.#counts) this.#watcher.removed(this.#characters);
    this.#characters = 0;
    this.#entries = [];
    this.#head = 0;
    this.#watcher.drained(this);
  }

  /** Reads all messages; only one reader is allowed. Leaving the loop detaches it. */
  [Symbol.asyncIterator](): AsyncIterator<WireObject, void, void> {
    return new MessageReader({
      begin: (reader) => this.#begin(reader),
      take: () => this.#take()?.message,
      over: () => this.#over,
      leave: () => this.#detach(),
    });
  }

  #begin(reader: MessageReader): void {
    if (this.#reader !== 'none') {
      throw new CoxswainError('READER_TAKEN', 'These messages already have a reader: iterate a turn once.');
    }
    this.#reader = reader;
    if (this.#isFull) this.#watcher.full(this);
  }

  get #size(): number {
    return this.#entries.length - this.#head;
  }

  get #isFull(): boolean {
    const { messages, characters } = this.#limits;
    const factor = this.#reader === 'none' ? UNREAD_FACTOR : 1;
    return this.#size >= messages * factor || this.#characters >= characters * factor;
  }

  #take(): Entry | undefined {
    const entry = this.#entries[this.#head];
    if (entry === undefined) return undefined;
    // What was read must not be kept alive by its place in the list.
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    this.#characters -= entry.length;
    if (this.#size === 0 || (this.#head > 1024 && this.#head * 2 > this.#entries.length)) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    if (this.#counts) this.#watcher.removed(entry.length);
    if (this.#size <= this.#limits.messages / 2 && this.#characters <= this.#limits.characters / 2) {
      this.#watcher.drained(this);
    }
    return entry;
  }

  #detach(): void {
    this.#reader = 'detached';
    this.discard();
    this.#counts = false;
    this.#watcher.detached?.(this);
  }

  #stopCounting(): void {
    if (this.#counts) this.#watcher.removed(this.#characters);
    this.#counts = false;
  }
}
