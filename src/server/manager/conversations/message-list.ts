import type { MessageRecord } from '../store/record.js';
import type { ManagedTurn } from './managed-turn.js';

/** A message to send. */
export interface NewMessage
  extends Pick<MessageRecord, 'id' | 'input' | 'resend' | 'joins' | 'onLimit' | 'placed'> {
  /** Before those that wait. */
  readonly first: boolean;
}

/** A message that has not settled. */
export interface Entry {
  record: MessageRecord;
  /** It was under way when an earlier host ended. */
  readonly orphaned: boolean;
  /** It is written down as sent already, and was not. */
  fresh: boolean;
  readonly turn: ManagedTurn;
  /** Something came of it from the CLI that has it now. */
  heard: boolean;
}

/** The messages of a conversation in order, and which of them a CLI has. */
export class MessageList {
  #all: readonly Entry[] = [];
  readonly #running = new Set<Entry>();

  /** All that have not settled. */
  get all(): readonly Entry[] {
    return this.#all;
  }

  /** Those that a CLI has. */
  get running(): ReadonlySet<Entry> {
    return this.#running;
  }

  /** Those that no CLI has. */
  get waiting(): readonly Entry[] {
    return this.#running.size === 0 ? this.#all : this.#all.filter((entry) => !this.#running.has(entry));
  }

  has(entry: Entry): boolean {
    return this.#all.includes(entry);
  }

  insert(entry: Entry): void {
    this.#all = [...this.#all, entry].sort((one, other) => one.record.order - other.record.order);
  }

  remove(entry: Entry): void {
    this.#all = this.#all.filter((each) => each !== entry);
  }

  /** A CLI has it now. */
  began(entry: Entry): void {
    entry.heard = false;
    this.#running.add(entry);
  }

  /** No CLI has it any more. */
  ended(entry: Entry): void {
    this.#running.delete(entry);
  }

  /** A place between what has begun and the first that waits; undefined if none waits. */
  orderBeforeWaiting(): number | undefined {
    const hasBegun = (entry: Entry) => this.#running.has(entry) || entry.record.state === 'deferred';
    const waiting = this.#all.find((entry) => !hasBegun(entry));
    if (waiting === undefined) return undefined;
    const before = this.#all.findLast(hasBegun)?.record.order ?? waiting.record.order - 1;
    return (before + waiting.record.order) / 2;
  }
}
