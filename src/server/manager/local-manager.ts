import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SessionOptions } from '../../host/session/session-options.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners } from '../../wire/util/listeners.js';
import type { Conversation } from './conversations/conversation.js';
import { type ConversationExport, exportConversation } from './conversations/conversation-export.js';
import { ConversationHost, type DeleteOptions } from './conversations/conversation-host.js';
import { factsOf } from './conversations/facts.js';
import { ManagedConversation } from './conversations/managed-conversation.js';
import { Places } from './conversations/places.js';
import type { Surroundings } from './conversations/surroundings.js';
import { WarmPool } from './conversations/warm-pool.js';
import type { Manager, ManagerCounters } from './manager.js';
import type { ManagerDeps } from './manager-deps.js';
import type { ManagerEvents } from './manager-events.js';
import type {
  ConversationFacts,
  ConversationOptions,
  LaunchOptions,
  ManagerOptions,
} from './manager-options.js';
import { Spending } from './money/spending.js';
import { Schedules } from './schedules/schedules.js';
import { ConversationStore } from './store/conversation-store.js';
import type { ConversationRecord } from './store/record.js';
import { storedOptions } from './store/stored-options.js';

const MINUTE_MS = 60_000;
/** How often to look for conversations that are too old. */
const SWEEP_MS = 60 * MINUTE_MS;

/** The manager of a store: its CLIs run on this machine. */
export class LocalManager implements Manager {
  readonly #options: ManagerOptions;
  readonly #store: ConversationStore;
  readonly #around: Surroundings;
  readonly #hosts = new Map<string, ConversationHost>();
  readonly #handles = new Map<string, Conversation>();
  readonly #counts = { starts: 0, resumes: 0 };
  #closing: Promise<void> | undefined;
  #draining = false;
  #callOffSweep: (() => void) | undefined;

  constructor(options: ManagerOptions, deps: ManagerDeps) {
    this.#options = options;
    this.#store = new ConversationStore(options.store);
    this.#around = this.#makeSurroundings(options, deps);
    this.#restore();
    this.#sweep();
    this.#around.pool.fill();
  }

  conversation(
    name: string,
    { owner, priority, workspace, id, usedBefore, ...given }: ConversationOptions = {},
  ): Conversation {
    this.#checkOpen();
    checkName(name);
    const record = this.#store.find(name);
    if (record === undefined) {
      const options = storedOptions(given);
      const fields = {
        name,
        owner: owner ?? 'default',
        priority: priority ?? 0,
        workspace,
        givenId: id,
        usage: usedBefore,
        options,
      };
      this.#store.create({ ...fields, at: this.#around.now() });
      this.#keepCount(name);
    } else this.#reconfigure(record, { owner, priority, workspace, id, ...given });
    if (Object.keys(given).length > 0) this.#host(name, given).launch.reconfigure(given);
    return this.#handle(name);
  }

  find(name: string): Conversation {
    this.#checkOpen();
    if (this.#store.find(name) === undefined) {
      throw new CoxswainError('CONVERSATION_UNKNOWN', `There is no conversation called ${name}.`);
    }
    return this.#handle(name);
  }

  list(): readonly ConversationFacts[] {
    return [...this.#store.conversations()].map((record) => this.#factsOf(record));
  }

  get counters(): ManagerCounters {
    const states = this.list().map(({ state }) => state);
    const count = (state: string) => states.filter((each) => each === state).length;
    return {
      running: count('running') + count('starting'),
      waiting: count('queued') + count('limited') + count('paused') + count('deferred'),
      parked: count('parked'),
      failed: count('failed'),
      ...this.#counts,
      costUsd: this.#around.spending.totalUsd,
    };
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#around.listeners.on(event, listener);
  }

  async delete(name: string, options?: DeleteOptions): Promise<void> {
    this.find(name);
    await this.#host(name).delete(options);
    this.#hosts.delete(name);
    this.#handles.delete(name);
  }

  export(name: string): Promise<ConversationExport> {
    this.find(name);
    return exportConversation(this.#host(name));
  }

  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.all([...this.#hosts.values()].map((host) => host.finishTurn()));
    await this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#draining = true;
    this.#callOffSweep?.();
    this.#around.schedules.close();
    await Promise.all([...[...this.#hosts.values()].map((host) => host.close()), this.#around.pool.close()]);
    this.#store.close();
  }

  #host(name: string, given: LaunchOptions = {}): ConversationHost {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host = new ConversationHost(name, given, this.#around);
    this.#hosts.set(name, host);
    return host;
  }

  #handle(name: string): Conversation {
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const conversation = new ManagedConversation(this.#host(name));
    this.#handles.set(name, conversation);
    return conversation;
  }

  #factsOf(record: ConversationRecord): ConversationFacts {
    const host = this.#hosts.get(record.name);
    if (host !== undefined) return host.facts;
    const state = record.failure === undefined ? 'parked' : 'failed';
    return factsOf(record, { state, messages: this.#store.messagesOf(record.name).length });
  }

  /** Options for an existing conversation: they may differ only if the difference can take effect. */
  #reconfigure(
    record: ConversationRecord,
    { owner, priority, workspace, id, ...given }: ConversationOptions,
  ): void {
    const { name } = record;
    const wanted = storedOptions(given);
    const changed = Object.entries(wanted)
      .filter(([key, value]) => !isDeepStrictEqual(value, record.options[key as keyof typeof record.options]))
      .map(([key]) => key);
    const running = this.#hosts.get(name)?.cli.session !== undefined;
    const fixed = changed.filter((key) => running || key === 'cwd');
    if (owner !== undefined && owner !== record.owner) fixed.push('owner');
    if (id !== undefined && id !== (record.sessionId ?? record.givenId)) fixed.push('id');
    if (workspace !== undefined && !isDeepStrictEqual(workspace, record.workspace)) fixed.push('workspace');
    if (fixed.length > 0) {
      const why = running
        ? 'its CLI runs with other values; park it first'
        : 'it is fixed when the conversation is created';
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

  /** Conversations with unsettled messages continue. */
  #restore(): void {
    const { schedules } = this.#around;
    const records = [...this.#store.conversations()];
    for (const { name, failure } of records) {
      if (failure === undefined && this.#store.messagesOf(name).length > 0) this.#host(name).queue.restore();
    }
    // After messages that were already waiting: only those hold back a scheduled message.
    for (const { name, schedule } of records) if (schedule !== undefined) schedules.restore(name, schedule);
    schedules.start();
  }

  /** Deletes what retention does not keep, now and periodically. */
  #sweep(): void {
    const { maxAgeMs } = this.#options.retention ?? {};
    const { now, clock } = this.#around;
    this.#keepCount();
    if (maxAgeMs === undefined) return;
    for (const { name, usedAt } of this.#unused()) if (now() - usedAt > maxAgeMs) this.#forget(name);
    this.#callOffSweep = clock.after(Math.max(1_000, Math.min(maxAgeMs, SWEEP_MS)), () => this.#sweep());
  }

  /** Deletes the oldest ones above the count. */
  #keepCount(besides?: string): void {
    const { maxCount } = this.#options.retention ?? {};
    if (maxCount === undefined) return;
    const tooMany = this.#store.size - maxCount;
    if (tooMany <= 0) return;
    const oldestFirst = [...this.#unused()]
      .filter(({ name }) => name !== besides)
      .sort((one, other) => one.usedAt - other.usedAt);
    for (const { name } of oldestFirst.slice(0, tooMany)) this.#forget(name);
  }

  /** Conversations without a CLI, a schedule or a waiting message. */
  *#unused(): IterableIterator<ConversationRecord> {
    for (const record of [...this.#store.conversations()]) {
      const isParked = (this.#hosts.get(record.name)?.cli.state ?? 'none') === 'none';
      const isUsed = record.schedule !== undefined || this.#store.messagesOf(record.name).length > 0;
      if (isParked && !isUsed) yield record;
    }
  }

  #forget(name: string): void {
    if (this.#hosts.has(name)) return void this.delete(name).catch(() => {});
    this.#store.remove(name);
  }

  #checkOpen(): void {
    if (this.#draining)
      throw new CoxswainError('MANAGER_CLOSED', 'The manager accepts no more messages: it is closing.');
  }

  #makeSurroundings(options: ManagerOptions, deps: ManagerDeps): Surroundings {
    const {
      maxRunning = 8,
      idleMs = 10 * MINUTE_MS,
      warm = 0,
      warmMs = 10 * MINUTE_MS,
      defaults = {},
    } = options;
    const { onLimit = 'wait', limitSpreadMs = MINUTE_MS, optionsFor, defer, budgets = {} } = options;
    const { clock, now } = deps;
    const places = new Places({
      max: maxRunning,
      now: () => clock.now(),
      onPressure: () => this.#makeRoom(),
    });
    const sets = typeof warm === 'number' ? [{ count: warm }] : warm;
    const start = (own: LaunchOptions) => {
      this.#counts.starts += 1;
      return deps.startSession({ prompts: 'manual', ...defaults, ...own } as SessionOptions);
    };
    return {
      ...deps,
      options: { idleMs, onLimit, limitSpreadMs, defaults, optionsFor, defer },
      store: this.#store,
      folder: resolve(options.store),
      places,
      pool: new WarmPool({ sets, idleMs: warmMs, clock, places, start }),
      schedules: new Schedules({
        clock,
        now,
        keep: (name, schedule) => {
          const record = this.#store.find(name);
          if (record !== undefined) this.#store.save({ ...record, schedule });
        },
        send: (name, text) => this.#host(name).sendScheduled(text),
      }),
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

  /** Ends a CLI that nobody needs now: one started in advance, otherwise the one idle longest. */
  #makeRoom(): boolean {
    if (this.#around.pool.evict()) return true;
    let longest: { readonly host: ConversationHost; readonly ms: number } | undefined;
    for (const host of this.#hosts.values()) {
      const ms = host.parking.idleMs;
      if (ms !== undefined && ms > (longest?.ms ?? -1)) longest = { host, ms };
    }
    void longest?.host.giveWay();
    return longest !== undefined;
  }
}

function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name)) return;
  throw new CoxswainError(
    'OPTION_INVALID',
    'The name of a conversation must have 1 to 200 characters and no control characters.',
  );
}
