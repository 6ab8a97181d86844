import { deferred } from '../../../wire/util/deferred.js';
import type { MessageRecord } from '../store/record.js';
import type { ManagedTurn } from './managed-turn.js';

/** A message to send. */
export interface NewMessage
  extends Pick<MessageRecord, 'id' | 'input' | 'resend' | 'joins' | 'onLimit' | 'by' | 'placed'> {
  /** Before waiting ones. */
  readonly first: boolean;
}

/** A message that has not settled. */
export interface Entry {
  record: MessageRecord;
  /** It was in flight when an earlier host ended. */
  readonly orphaned: boolean;
  /** It is stored as sent, but was not. */
  fresh: boolean;
  readonly turn: ManagedTurn;
  /** A CLI has begun with it. */
  begun: boolean;
  /** The current CLI has responded to it. */
  heard: boolean;
  /** It was sent while another CLI was renewing the login, and waited for that. */
  awaitedLogin: boolean;
}

/** The messages of a conversation in order, and which of them a CLI has. */
export class MessageList {
  #all: readonly Entry[] = [];
  readonly #running = new Set<Entry>();
  #returned = deferred<void>();

  /** All unsettled ones. */
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
    const before = this.#all.findLastIndex(({ record }) => record.order <= entry.record.order);
    this.#all = this.#all.toSpliced(before + 1, 0, entry);
  }

  remove(entry: Entry): void {
    this.#all = this.#all.filter((each) => each !== entry);
  }

  /** Resolves when no CLI has any of them. */
  async returned(): Promise<void> {
    if (this.#running.size > 0) await this.#returned.promise;
  }

  /** A CLI has it now. */
  began(entry: Entry): void {
    entry.heard = false;
    if (this.#running.size === 0) this.#returned = deferred();
    this.#running.add(entry);
  }

  /** No CLI has it any more. */
  ended(entry: Entry): void {
    this.#running.delete(entry);
    if (this.#running.size === 0) this.#returned.resolve();
  }

  /** A position between the started ones and the first waiting one; undefined if none is waiting. */
  orderBeforeWaiting(): number | undefined {
    const isStarted = (entry: Entry) => this.#running.has(entry) || entry.record.state === 'deferred';
    const waiting = this.#all.find((entry) => !isStarted(entry));
    if (waiting === undefined) return undefined;
    const before = this.#all.findLast(isStarted)?.record.order ?? waiting.record.order - 1;
    return (before + waiting.record.order) / 2;
  }
}

/** Whether the model is working on a message. */
export function hasBegun({ turn: { receipt } }: Entry): boolean {
  return receipt === 'started' || receipt === 'merged';
}
