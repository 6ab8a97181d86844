import { resolve } from 'node:path';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { LoginLimits } from '../../wire/protocol/reading/plan-limits.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners } from '../../wire/util/listeners.js';
import { changedRecord } from './conversations/conversation-changes.js';
import { type ConversationExport, exportConversation } from './conversations/conversation-export.js';
import { ConversationHost, type DeleteOptions } from './conversations/conversation-host.js';
import { checkConversationOptions } from './conversations/conversation-option-checks.js';
import { factsOf } from './conversations/facts.js';
import { ManagedConversation } from './conversations/managed-conversation.js';
import { Places } from './conversations/places.js';
import type { Surroundings } from './conversations/surroundings.js';
import { WarmPool } from './conversations/warm-pool.js';
import { PlanHolds } from './limits/plan-holds.js';
import type { DrainOptions, Manager, ManagerCounters } from './manager.js';
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
import type { ConversationStore } from './store/conversation-store.js';
import type { ConversationRecord } from './store/record.js';
import { storedOptions } from './store/stored-options.js';
import { untilDrained } from './until-drained.js';

const MINUTE_MS = 60_000;
/** How often to look for conversations that are too old. */
const SWEEP_MS = 60 * MINUTE_MS;
/** How long prompts may hold all slots before that is reported: a callback may be about to answer. */
const HELD_MS = 1_000;

/** The manager of a store: its CLIs run on this machine. */
export class LocalManager implements Manager {
  readonly #options: ManagerOptions;
  readonly #store: ConversationStore;
  readonly #around: Surroundings;
  readonly #hosts = new Map<string, ConversationHost>();
  readonly #handles = new Map<string, ManagedConversation>();
  readonly #counts = { starts: 0, resumes: 0 };
  #closing: Promise<void> | undefined;
  #draining = false;
  #callOffSweep: (() => void) | undefined;
  /** How many CLIs are ending to make room. */
  #leaving = 0;
  #callOffHeld: (() => void) | undefined;
  /** The prompts that were named because they hold all slots. */
  #named: ReadonlySet<string> = new Set();

  constructor(options: ManagerOptions, deps: ManagerDeps) {
    this.#options = options;
    this.#store = deps.openStore(options.store);
    this.#around = this.#makeSurroundings(options, deps);
    if (options.onDiagnostic !== undefined) this.on('diagnostic', options.onDiagnostic);
  }

  /** Continues what earlier managers left. After an error, only `close()` makes sense. */
  begin(): void {
    const { problems, lines } = this.#store.damage;
    if (lines > 0) this.#tell({ code: 'STORE_DAMAGED', message: problems.join('\n'), lines });
    this.#restore();
    this.#sweep();
    this.#around.pool.fill();
  }

  conversation(name: string, options: ConversationOptions = {}): ManagedConversation {
    this.#checkOpen();
    checkName(name);
    checkConversationOptions(options);
    const { owner, priority, workspace, id, defer, usedBefore, askedBefore, ...given } = options;
    const record = this.#store.find(name);
    if (record === undefined) {
      const fields = {
        name,
        owner: owner ?? 'default',
        priority: priority ?? 0,
        workspace,
        givenId: id,
        defer,
        usage: usedBefore,
        prompts: askedBefore,
        options: storedOptions(given),
      };
      this.#store.create({ ...fields, at: this.#around.now() });
      this.#keepCount(name);
    } else this.#reconfigure(record, options);
    if (Object.keys(given).length > 0) this.#host(name).launch.reconfigure(given);
    return this.#handle(name);
  }

  find(name: string): ManagedConversation {
    if (this.#closing !== undefined) throw closing();
    if (this.#store.find(name) === undefined) {
      throw new CoxswainError('CONVERSATION_UNKNOWN', `There is no conversation called ${name}.`);
    }
    return this.#handle(name);
  }

  /** The parts of a conversation, for its user; undefined if there is none with this name. */
  host(name: string): ConversationHost | undefined {
    return this.#store.find(name) === undefined ? undefined : this.#host(name);
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

  get limits(): readonly LoginLimits[] {
    return this.#around.plans.all;
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#around.listeners.on(event, listener);
  }

  async delete(name: string, options?: DeleteOptions): Promise<void> {
    this.find(name);
    const host = this.#host(name);
    await host.end(options);
    // Deleted twice, it may be another one by now.
    if (this.#hosts.get(name) !== host) return;
    this.#store.remove(name);
    this.#around.schedules.delete(name);
    this.#hosts.delete(name);
    this.#handles.delete(name);
    host.forgotten();
  }

  /** Does nothing more with a conversation until it is asked for again. What waits in it stays in the store. */
  leave(name: string): void {
    const host = this.#hosts.get(name);
    this.#hosts.delete(name);
    this.#handles.delete(name);
    // Its time may come, and nobody would decide how its CLI is started.
    this.#around.schedules.delete(name);
    // It has no CLI.
    void host?.close();
  }

  export(name: string): Promise<ConversationExport> {
    this.find(name);
    return exportConversation(this.#host(name));
  }

  async drain(options: DrainOptions = {}): Promise<void> {
    this.#draining = true;
    const finished = Promise.all([...this.#hosts.values()].map((host) => host.finishTurn()));
    // What is still running then ends with the rest.
    await untilDrained(finished, options, this.#around.clock);
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
    this.#callOffHeld?.();
    this.#around.schedules.close();
    await Promise.all([...[...this.#hosts.values()].map((host) => host.close()), this.#around.pool.close()]);
    this.#store.close();
  }

  #host(name: string): ConversationHost {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host = new ConversationHost(name, this.#around);
    if (this.#store.messagesOf(name).length > 0) host.queue.restore();
    if (this.#draining) host.queue.stop();
    this.#hosts.set(name, host);
    return host;
  }

  #handle(name: string): ManagedConversation {
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
  #reconfigure(record: ConversationRecord, options: ConversationOptions): void {
    const host = this.#hosts.get(record.name);
    const changed = changedRecord(record, options, {
      hasCli: host?.cli.isTaken ?? false,
      given: { ...this.#options.defaults, ...host?.launch.given },
    });
    if (changed !== record) this.#store.save(changed);
  }

  /** Conversations with unsettled messages continue. */
  #restore(): void {
    const { schedules } = this.#around;
    const records = [...this.#store.conversations()];
    for (const { name } of records) if (this.#store.messagesOf(name).length > 0) this.#host(name);
    const asking = records.filter(({ prompts }) => prompts !== undefined).map(({ name }) => this.#host(name));
    // Lets the caller subscribe before anything is reported.
    setImmediate(() => {
      if (this.#closing !== undefined) return;
      for (const host of asking) if (host.state !== 'deleted') host.kept.announce();
    });
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

  /** Conversations without a CLI, a schedule, a waiting message or a kept prompt. */
  *#unused(): IterableIterator<ConversationRecord> {
    for (const record of [...this.#store.conversations()]) {
      const isParked = (this.#hosts.get(record.name)?.cli.state ?? 'none') === 'none';
      const { name, schedule, prompts } = record;
      const isUsed =
        schedule !== undefined || prompts !== undefined || this.#store.messagesOf(name).length > 0;
      if (isParked && !isUsed) yield record;
    }
  }

  #forget(name: string): void {
    // One that cannot be deleted now is tried again with the next sweep.
    if (this.#hosts.has(name)) return void this.delete(name).catch(() => {});
    this.#store.remove(name);
  }

  #checkOpen(): void {
    if (this.#draining) throw closing();
  }

  #makeSurroundings(options: ManagerOptions, deps: ManagerDeps): Surroundings {
    const {
      maxRunning = 8,
      idleMs = 10 * MINUTE_MS,
      parkBy = 'idle',
      warm = 0,
      warmMs = 10 * MINUTE_MS,
      defaults = {},
    } = options;
    const {
      onLimit = 'wait',
      limitSpreadMs = MINUTE_MS,
      holdAbove,
      optionsFor,
      defer,
      budgets = {},
    } = options;
    const { clock, now } = deps;
    const places = new Places({
      max: maxRunning,
      now: () => clock.now(),
      onPressure: () => this.#makeRoom(),
    });
    const sets = typeof warm === 'number' ? [{ count: warm }] : warm;
    const start = (own: LaunchOptions) => {
      this.#counts.starts += 1;
      return deps.startSession({ ...defaults, ...own } as SessionOptions);
    };
    return {
      ...deps,
      options: { idleMs, parkBy, onLimit, limitSpreadMs, defaults, optionsFor, defer },
      store: this.#store,
      folder: resolve(options.store),
      places,
      pool: new WarmPool({
        sets,
        idleMs: warmMs,
        clock,
        places,
        start,
        onFailed: (cause) => this.#warmFailed(cause),
      }),
      schedules: new Schedules({
        clock,
        now,
        keep: (name, schedule) => {
          const record = this.#store.find(name);
          if (record === undefined) return;
          this.#store.save({ ...record, schedule });
          this.#hosts.get(name)?.append({ kind: 'schedule', schedule });
        },
        send: (name, text) => this.#host(name).sendScheduled(text),
        // Lets the caller subscribe before anything is reported.
        skipped: (name, error) => setImmediate(() => this.#host(name).skippedSchedule(errorText(error))),
      }),
      spending: new Spending(this.#store.values, { budgets, now }),
      plans: new PlanHolds(this.#store.values, { holdAbove, clock, now, exchange: deps.limitExchange }),
      listeners: new Listeners<ManagerEvents>(),
      count: (what) => {
        this.#counts[what] += 1;
      },
      makeRoom: () => this.#makeRoom(),
    };
  }

  #warmFailed(cause: unknown): void {
    const message = `A CLI could not be started in advance: ${errorText(cause)}`;
    this.#tell({ code: 'WARM_CLI_FAILED', message, cause });
  }

  /** Reports something that concerns no single conversation; lets the caller subscribe first. */
  #tell(diagnostic: Diagnostic): void {
    setImmediate(() => this.#around.listeners.emit('diagnostic', { conversation: '', diagnostic }));
  }

  /** Ends a CLI that nobody needs now, if more are waiting than make room already. */
  #makeRoom(): void {
    const { places, pool } = this.#around;
    if (this.#leaving >= places.waiting) return;
    const left = pool.evict() ?? this.#nextToPark()?.giveWay();
    if (left === undefined) {
      this.#tellIfHeld();
      return;
    }
    this.#leaving += 1;
    void left.then(() => {
      this.#leaving -= 1;
      this.#makeRoom();
    });
  }

  /** Names the prompts that hold all slots for a while, once. */
  #tellIfHeld(): void {
    this.#callOffHeld ??= this.#around.clock.after(HELD_MS, () => {
      this.#callOffHeld = undefined;
      if (this.#around.places.waiting > 0) this.#nameHolders();
    });
  }

  #nameHolders(): void {
    const holders = [...this.#hosts.values()].filter(({ cliPrompts }) => cliPrompts.length > 0);
    if (holders.length < this.#around.places.taken) return;
    const held = holders.flatMap(({ name, cliPrompts }) => cliPrompts.map((prompt) => ({ name, prompt })));
    if (held.every(({ prompt }) => this.#named.has(prompt.id))) return;
    this.#named = new Set(held.map(({ prompt }) => prompt.id));
    const list = held.map(({ name, prompt }) => `${name} (${String(prompt.raw.tool_name ?? prompt.kind)})`);
    const message = `All slots are held by open prompts, and other conversations wait: ${list.join(', ')}. Answer them, or set "promptTimeoutsMs", "defer" or a larger "maxRunning".`;
    const prompts = held.map(({ name, prompt }) => ({ conversation: name, promptId: prompt.id }));
    this.#tell({ code: 'SLOTS_HELD', message, prompts });
  }

  #nextToPark(): ConversationHost | undefined {
    let next: { readonly host: ConversationHost; readonly tokens: number; readonly ms: number } | undefined;
    for (const host of this.#hosts.values()) {
      const { idleMs: ms, tokensAtStake: tokens } = host.parking;
      if (ms === undefined) continue;
      if (next === undefined || tokens < next.tokens || (tokens === next.tokens && ms > next.ms))
        next = { host, tokens, ms };
    }
    return next?.host;
  }
}

function closing(): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', 'The manager is closing and accepts no more messages.');
}

function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name)) return;
  throw new CoxswainError(
    'OPTION_INVALID',
    'The name of a conversation must have 1 to 200 characters and no control characters.',
  );
}
