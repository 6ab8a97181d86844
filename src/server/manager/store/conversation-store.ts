import { join } from 'node:path';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import { faultOf } from '../../../wire/util/option-checks.js';
import type { Workspace } from '../workspaces/workspace.js';
import { lockFolder, type Unlock } from './folder-lock.js';
import { Journal } from './journal.js';
import type { ConversationRecord, MessageRecord, StoredPrompt } from './record.js';
import type { StoredOptions } from './stored-options.js';
import { storedConversation, storedMessage } from './stored-shapes.js';
import type { ValueStore } from './value-store.js';

const CONVERSATION = 'conversation/';
const MESSAGE = 'message/';
const DAMAGED = 'damaged/';
/** How many damaged records are named. */
const NAMED = 10;
/** How often to store that a conversation was used. */
const TOUCH_MS = 60_000;

/** Opens the conversations in a folder, for one manager. @throws CoxswainError `STORE_IN_USE`, `STORE_INVALID`. */
export function openStore(folder: string): ConversationStore {
  const unlock = lockFolder(folder);
  try {
    return new ConversationStore(new Journal(join(folder, 'conversations.jsonl')), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Conversations and their waiting messages. */
export class ConversationStore {
  readonly values: ValueStore;
  readonly #unlock: Unlock;
  readonly #messages = new Map<string, MessageRecord[]>();
  /** When the last use of a conversation was last stored. */
  readonly #writtenAt = new RecentMap<string, number>(1_000);
  readonly #damaged: string[] = [];
  #order = 0;
  #size = 0;

  /** `unlock` releases where the values are, when it is closed. */
  constructor(values: ValueStore, unlock: Unlock = () => {}) {
    this.values = values;
    this.#unlock = unlock;
    this.#setAsideDamaged();
    for (const [key, value] of this.values.values) {
      // Checked a moment ago.
      if (key.startsWith(MESSAGE)) this.#remember(value as MessageRecord);
      else if (key.startsWith(CONVERSATION)) this.#size += 1;
    }
    for (const messages of this.#messages.values()) messages.sort((one, other) => one.order - other.order);
  }

  /** What could not be read, in words, and how many lines that concerns. */
  get damage(): { readonly problems: readonly string[]; readonly lines: number } {
    const { path, unreadable } = this.values;
    const skipped = `${unreadable} lines of ${path} could not be read and were skipped.`;
    const named = this.#damaged.slice(0, NAMED).map((text) => `${path}: ${text}`);
    const others = this.#damaged.length - named.length;
    return {
      problems: [
        ...(unreadable > 0 ? [skipped] : []),
        ...named,
        ...(others > 0 ? [`${path}: ${others} more records are damaged and set aside.`] : []),
      ],
      lines: unreadable + this.#damaged.length,
    };
  }

  /** Whether it contains records that are set aside, now or earlier. */
  get hasDamaged(): boolean {
    return [...this.values.values.keys()].some((key) => key.startsWith(DAMAGED));
  }

  /** How many conversations there are. */
  get size(): number {
    return this.#size;
  }

  /** All conversations, in order of creation. */
  *conversations(): IterableIterator<ConversationRecord> {
    for (const [key, value] of this.values.values)
      if (key.startsWith(CONVERSATION)) yield value as ConversationRecord;
  }

  find(name: string): ConversationRecord | undefined {
    return this.values.values.get(CONVERSATION + name) as ConversationRecord | undefined;
  }

  create(fields: {
    readonly name: string;
    readonly owner: string;
    readonly priority: number;
    readonly options: StoredOptions;
    readonly workspace?: Workspace | undefined;
    readonly givenId?: string | undefined;
    readonly defer?: readonly string[] | undefined;
    readonly usage?: TurnUsage | undefined;
    readonly prompts?: readonly StoredPrompt[] | undefined;
    readonly at: number;
  }): ConversationRecord {
    const { at, ...rest } = fields;
    const record = this.save({
      ...rest,
      createdAt: at,
      usedAt: at,
      crashes: 0,
      costUsd: rest.usage?.costUsd ?? 0,
    });
    this.#size += 1;
    return record;
  }

  /** Stores a conversation. @throws CoxswainError `STORE_FAILED`: then nothing has changed. */
  save(record: ConversationRecord): ConversationRecord {
    this.values.set(CONVERSATION + record.name, record);
    return record;
  }

  /** Records something that has already happened to a conversation. */
  note(record: ConversationRecord): void {
    this.values.note(CONVERSATION + record.name, record);
  }

  /** Records that a conversation was used; the disk is at most a minute behind. */
  touch(record: ConversationRecord, at: number): void {
    const touched = { ...record, usedAt: at };
    const written = this.#writtenAt.get(record.name) ?? record.createdAt;
    if (at - written < TOUCH_MS) this.values.remember(CONVERSATION + record.name, touched);
    else {
      this.#writtenAt.set(record.name, at);
      this.note(touched);
    }
  }

  remove(name: string): void {
    if (this.find(name) === undefined) return;
    for (const { id } of this.messagesOf(name)) this.dropMessage(name, id);
    this.values.note(CONVERSATION + name, undefined);
    this.#size -= 1;
  }

  /** A conversation's unsettled messages, in order. */
  messagesOf(name: string): readonly MessageRecord[] {
    return this.#messages.get(name) ?? [];
  }

  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  /** Whether the message with this id is unsettled. */
  hasMessage(id: string): boolean {
    return this.values.values.has(MESSAGE + id);
  }

  /** Stores a message. @throws CoxswainError `STORE_FAILED`: then nothing has changed. */
  saveMessage(message: MessageRecord): void {
    this.values.set(MESSAGE + message.id, message);
    this.#replace(message);
  }

  /** Records something that has already happened to a message. */
  noteMessage(message: MessageRecord): void {
    this.values.note(MESSAGE + message.id, message);
    this.#replace(message);
  }

  #replace(message: MessageRecord): void {
    const all = this.messagesOf(message.conversation);
    const known = all.findIndex(({ id }) => id === message.id);
    const before = () => all.findLastIndex(({ order }) => order <= message.order);
    const changed = known === -1 ? all.toSpliced(before() + 1, 0, message) : all.with(known, message);
    this.#messages.set(message.conversation, changed);
  }

  dropMessage(conversation: string, id: string): void {
    this.values.note(MESSAGE + id, undefined);
    const left = this.messagesOf(conversation).filter((message) => message.id !== id);
    if (left.length === 0) this.#messages.delete(conversation);
    else this.#messages.set(conversation, left);
  }

  close(): void {
    this.values.close();
    this.#unlock();
  }

  /** Another program may have changed the file: a damaged record stays in it, under a key that nobody reads. */
  #setAsideDamaged(): void {
    const faults = [...this.values.values].flatMap(([key, value]) => {
      const fault = faultOfEntry(key, value);
      return fault === undefined ? [] : [{ key, value, fault }];
    });
    for (const { key, value, fault } of faults) {
      this.values.note(DAMAGED + key, value);
      this.values.note(key, undefined);
      this.#damaged.push(`${key} is set aside, because it is damaged: ${fault}.`);
    }
  }

  #remember(message: MessageRecord): void {
    this.#order = Math.max(this.#order, message.order);
    const known = this.#messages.get(message.conversation);
    if (known === undefined) this.#messages.set(message.conversation, [message]);
    else known.push(message);
  }
}

function faultOfEntry(key: string, value: unknown): string | undefined {
  if (key.startsWith(CONVERSATION))
    return faultOf(storedConversation, value) ?? otherKey(key, CONVERSATION, 'name', value);
  if (key.startsWith(MESSAGE)) return faultOf(storedMessage, value) ?? otherKey(key, MESSAGE, 'id', value);
  return undefined;
}

/** A record under the key of another one would be stored twice. */
function otherKey(key: string, start: string, field: string, value: unknown): string | undefined {
  const isOwn = isObject(value) && value[field] === key.slice(start.length);
  return isOwn ? undefined : `${field}: it belongs to another key`;
}
