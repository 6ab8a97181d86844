import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SessionOptions } from '../../host/session/session-options.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners } from '../../wire/util/listeners.js';
import { Conversation } from './conversations/conversation.js';
import { factsOf } from './conversations/facts.js';
import { Places } from './conversations/places.js';
import type { Surroundings } from './conversations/surroundings.js';
import { WarmPool } from './conversations/warm-pool.js';
import type { ManagerDeps } from './manager-deps.js';
import type { ManagerEvents } from './manager-events.js';
import type {
  ConversationFacts,
  ConversationOptions,
  LaunchOptions,
  ManagerOptions,
} from './manager-options.js';
import { Spending } from './money/spending.js';
import { ConversationStore } from './store/conversation-store.js';
import type { ConversationRecord } from './store/record.js';
import { storedOptions } from './store/stored-options.js';

/** What a manager has done and has to do. */
export interface ManagerCounters {
  /** How many have a CLI. */
  readonly running: number;
  /** How many wait for a place. */
  readonly waiting: number;
  /** How many have no CLI now. */
  readonly parked: number;
  /** How many have failed. */
  readonly failed: number;
  /** How often a CLI was started. */
  readonly starts: number;
  /** How often a CLI was started for a parked one. */
  readonly resumes: number;
  /** What all of them have cost, in dollars. */
  readonly costUsd: number;
}

const MINUTE_MS = 60_000;

/** Many conversations on a few CLIs. */
export class Manager implements AsyncDisposable {
  readonly #options: ManagerOptions;
  readonly #store: ConversationStore;
  readonly #around: Surroundings;
  readonly #conversations = new Map<string, Conversation>();
  readonly #counts = { starts: 0, resumes: 0 };
  #closing: Promise<void> | undefined;
  #draining = false;

  constructor(options: ManagerOptions, deps: ManagerDeps) {
    this.#options = options;
    this.#store = new ConversationStore(options.store);
    this.#around = this.#makeSurroundings(options, deps);
    this.#sweep();
    this.#restore();
    this.#around.pool.fill();
  }

  /** The conversation of this name: an earlier one, or a new one. Its CLI is started by the first message. */
  conversation(
    name: string,
    { owner, priority, workspace, ...given }: ConversationOptions = {},
  ): Conversation {
    this.#checkOpen();
    checkName(name);
    const record = this.#store.find(name);
    if (record === undefined) {
      const options = storedOptions(given);
      const fields = { name, owner: owner ?? 'default', priority: priority ?? 0, workspace, options };
      this.#store.create({ ...fields, at: this.#around.now() });
    } else this.#reconfigure(record, { owner, priority, workspace, ...given });
    const known = this.#handle(name, given);
    if (Object.keys(given).length > 0) known.reconfigure(given);
    return known;
  }

  /** A conversation by its name. @throws CoxswainError `CONVERSATION_UNKNOWN` if there is none of this name. */
  find(name: string): Conversation {
    this.#checkOpen();
    if (this.#store.find(name) === undefined) {
      throw new CoxswainError('CONVERSATION_UNKNOWN', `There is no conversation called ${name}.`);
    }
    return this.#handle(name, {});
  }

  /** All conversations, in the order in which they were made. */
  list(): readonly ConversationFacts[] {
    return [...this.#store.conversations()].map((record) => this.#factsOf(record));
  }

  /** What has happened so far, in numbers. */
  get counters(): ManagerCounters {
    const states = this.list().map(({ state }) => state);
    const count = (state: string) => states.filter((each) => each === state).length;
    return {
      running: count('running') + count('starting'),
      waiting: count('queued') + count('limited') + count('paused'),
      parked: count('parked'),
      failed: count('failed'),
      ...this.#counts,
      costUsd: this.#around.spending.totalUsd,
    };
  }

  /** Listens to all conversations; the returned function stops that. */
  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#around.listeners.on(event, listener);
  }

  /** Forgets a conversation: ends its CLI, and cancels what waits. Its transcript stays with the CLI. */
  async delete(name: string): Promise<void> {
    await this.find(name).delete();
    this.#conversations.delete(name);
  }

  /** Takes no more messages, waits for running turns, parks all, and closes: then it is safe to exit. */
  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.all([...this.#conversations.values()].map((conversation) => conversation.finishTurn()));
    await this.close();
  }

  /** Ends every CLI at once. Messages that have not settled are left for the next manager of this store. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#draining = true;
    await Promise.all([
      ...[...this.#conversations.values()].map((conversation) => conversation.close()),
      this.#around.pool.close(),
    ]);
    this.#store.close();
  }

  #handle(name: string, given: LaunchOptions): Conversation {
    const known = this.#conversations.get(name);
    if (known !== undefined) return known;
    const conversation = new Conversation(name, given, this.#around);
    this.#conversations.set(name, conversation);
    return conversation;
  }

  #factsOf(record: ConversationRecord): ConversationFacts {
    const conversation = this.#conversations.get(record.name);
    if (conversation !== undefined) return conversation.facts;
    const state = record.failure === undefined ? 'parked' : 'failed';
    return factsOf(record, { state, messages: this.#store.messagesOf(record.name).length });
  }

  /** Options of a conversation that was there before: they may differ only where that can take effect. */
  #reconfigure(
    record: ConversationRecord,
    { owner, priority, workspace, ...given }: ConversationOptions,
  ): void {
    const { name } = record;
    const wanted = storedOptions(given);
    const changed = Object.entries(wanted)
      .filter(([key, value]) => !isDeepStrictEqual(value, record.options[key as keyof typeof record.options]))
      .map(([key]) => key);
    const running = this.#conversations.get(name)?.pid !== undefined;
    const fixed = changed.filter((key) => running || key === 'cwd');
    if (owner !== undefined && owner !== record.owner) fixed.push('owner');
    if (workspace !== undefined && !isDeepStrictEqual(workspace, record.workspace)) fixed.push('workspace');
    if (fixed.length > 0) {
      const why = running ? 'its CLI runs with others; park it first' : 'it belongs to where it was begun';
      throw new CoxswainError(
        'OPTION_INVALID',
        `The conversation ${name} cannot change ${fixed.join(', ')}: ${why}.`,
      );
    }
    if (changed.length === 0 && (priority === undefined || priority === record.priority)) return;
    this.#store.save({
      ...record,
      priority: priority ?? record.priority,
      options: { ...record.options, ...wanted },
    });
  }

  /** Conversations with messages that have not settled go on. */
  #restore(): void {
    for (const { name, failure } of [...this.#store.conversations()]) {
      if (failure === undefined && this.#store.messagesOf(name).length > 0) this.#handle(name, {}).restore();
    }
  }

  /** Deletes what retention does not keep. */
  #sweep(): void {
    const { maxAgeMs = Number.POSITIVE_INFINITY, maxCount = Number.POSITIVE_INFINITY } =
      this.#options.retention ?? {};
    const oldestFirst = [...this.#store.conversations()]
      .filter(({ name }) => this.#store.messagesOf(name).length === 0 && !this.#conversations.has(name))
      .sort((one, other) => one.usedAt - other.usedAt);
    const tooMany = Math.max(0, [...this.#store.conversations()].length - maxCount);
    oldestFirst
      .filter(({ usedAt }, index) => index < tooMany || this.#around.now() - usedAt > maxAgeMs)
      .forEach(({ name }) => {
        this.#store.remove(name);
      });
  }

  #checkOpen(): void {
    if (this.#draining)
      throw new CoxswainError('MANAGER_CLOSED', 'The manager takes no more messages: it is closing.');
  }

  #makeSurroundings(options: ManagerOptions, deps: ManagerDeps): Surroundings {
    const {
      maxRunning = 8,
      idleMs = 10 * MINUTE_MS,
      warm = 0,
      warmMs = 10 * MINUTE_MS,
      defaults = {},
    } = options;
    const { onLimit = 'wait', limitSpreadMs = MINUTE_MS, optionsFor, budgets = {} } = options;
    const { clock, now } = deps;
    const places = new Places({
      max: maxRunning,
      now: () => clock.now(),
      onPressure: () => this.#makeRoom(),
    });
    const start = () => {
      this.#counts.starts += 1;
      return deps.startSession({ prompts: 'manual', ...defaults } as SessionOptions);
    };
    return {
      ...deps,
      options: { idleMs, onLimit, limitSpreadMs, defaults, optionsFor },
      store: this.#store,
      folder: resolve(options.store),
      places,
      pool: new WarmPool({ size: warm, idleMs: warmMs, clock, places, start }),
      spending: new Spending(this.#store.journal, { budgets, now }),
      listeners: new Listeners<ManagerEvents>(),
      count: (what) => {
        this.#counts[what] += 1;
      },
      idle: () => {
        if (places.waiting > 0) this.#makeRoom();
      },
    };
  }

  /** Ends a CLI that nobody needs now: one started ahead, else the one idle longest. */
  #makeRoom(): boolean {
    if (this.#around.pool.evict()) return true;
    const idle = [...this.#conversations.values()]
      .map((conversation) => ({ conversation, ms: conversation.idleMs }))
      .filter((each): each is { conversation: Conversation; ms: number } => each.ms !== undefined)
      .sort((one, other) => other.ms - one.ms)[0];
    void idle?.conversation.giveWay();
    return idle !== undefined;
  }
}

function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name)) return;
  throw new CoxswainError(
    'OPTION_INVALID',
    'The name of a conversation is a text of 1 to 200 characters, none of them a control character.',
  );
}
