import { rm } from 'node:fs/promises';
import type { ScheduleView } from '../../../entry/remote/contract.js';
import { callPrompts } from '../../../host/session/prompts/open-prompts.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConversationUser } from '../../manager/conversations/conversation-user.js';
import type { ManagedConversation } from '../../manager/conversations/managed-conversation.js';
import type { LimitExchange } from '../../manager/limits/plan-holds.js';
import type { LocalManager } from '../../manager/local-manager.js';
import type { ManagerOptions } from '../../manager/manager-options.js';
import { openManager } from '../../manager/open-manager.js';
import { ConversationStore } from '../../manager/store/conversation-store.js';
import { MemoryValues } from '../../manager/store/memory-values.js';
import type { StoredPrompt } from '../../manager/store/record.js';
import { type TakenStore, takeStore } from './session-store.js';

/** What is already known about a session's usage when its conversation starts. */
export interface ConversationBegin {
  /** Who is charged for it. */
  readonly owner: string | undefined;
  readonly usedBefore: TurnUsage;
  readonly budgetUsd: number | undefined;
  /** Names of tools whose calls are deferred. */
  readonly defer: readonly string[] | undefined;
}

/** What a server elsewhere left of a session. */
export interface BroughtItems {
  readonly prompts: readonly StoredPrompt[];
  readonly schedule: ScheduleView | undefined;
}

/** The dependencies of {@link ConsoleManager}. */
export interface ConsoleManagerOptions {
  /** Where managers store what is waiting: one store per running server. */
  readonly folder: string;
  /** Whether the sessions' logs are stored elsewhere: the next owner reads what waits there, and nobody reads the store. */
  readonly isRecordedElsewhere: boolean;
  readonly clock: Clock;
  /** Other servers that share logins with this one. */
  readonly limitExchange?: LimitExchange | undefined;
  /** User settings. Default of `idleMs`: until another session needs the slot. */
  readonly manager: Pick<
    ManagerOptions,
    'maxRunning' | 'idleMs' | 'parkBy' | 'onLimit' | 'limitSpreadMs' | 'holdAbove' | 'budgets'
  >;
}

/**
 * The manager of a console's conversations, one per session, under its id: it takes their messages, starts, counts and
 * parks their CLIs, and keeps waiting items across restarts.
 */
export class ConsoleManager {
  readonly #options: ConsoleManagerOptions;
  /** Sessions in which something waits that this server cannot continue with. */
  readonly #left = new Set<string>();
  #manager: LocalManager | undefined;
  #store: TakenStore | undefined;
  #closed = false;

  constructor(options: ConsoleManagerOptions) {
    this.#options = options;
  }

  /**
   * Opens this server's manager; resolves with what could not be read, in words. Anything that continues on its own must
   * be adopted immediately.
   */
  async open(): Promise<readonly string[]> {
    const { folder, clock, manager: chosen, isRecordedElsewhere, limitExchange } = this.#options;
    this.#store = isRecordedElsewhere ? undefined : await takeStore(folder);
    const options: ManagerOptions = {
      ...chosen,
      // A page, a phone or a webhook answers, now or later.
      defaults: { prompts: 'manual' },
      store: this.#store?.path ?? folder,
      idleMs: chosen.idleMs ?? Number.POSITIVE_INFINITY,
    };
    const inMemory = { openStore: () => new ConversationStore(new MemoryValues()) };
    this.#manager = await openManager(options, {
      clock,
      limitExchange,
      ...(isRecordedElsewhere ? inMemory : {}),
    });
    return this.#store?.problems ?? [];
  }

  /** The conversation that an earlier server left of a session; undefined if nothing in it is waiting or scheduled. */
  adopt(id: string, user: ConversationUser): ManagedConversation | undefined {
    if (!this.#goesOn(id)) return undefined;
    const conversation = this.#opened.find(id);
    if (conversation.state === 'failed') conversation.retry();
    this.#use(id, user);
    return conversation;
  }

  /** The ids of the messages and prompts that an earlier server left of a session. */
  waiting(id: string): readonly string[] {
    if (this.#opened.host(id) === undefined) return [];
    const { turns, prompts } = this.#opened.find(id);
    return [
      ...turns.map(({ userMessageId }) => String(userMessageId)),
      ...callPrompts(prompts).map((prompt) => prompt.id),
    ];
  }

  #goesOn(id: string): boolean {
    return this.waiting(id).length > 0 || this.#opened.host(id)?.record.schedule !== undefined;
  }

  /** A new conversation, or one that was left. */
  begin(
    id: string,
    user: ConversationUser,
    { owner, usedBefore, budgetUsd, defer }: ConversationBegin,
  ): ManagedConversation {
    const wasLeft = this.#left.delete(id);
    const conversation = this.#opened.conversation(id, { owner, usedBefore, defer });
    conversation.setBudget(budgetUsd);
    this.#use(id, user);
    const { scheduled } = conversation;
    if (wasLeft && scheduled !== undefined) conversation.bringSchedule(scheduled);
    return conversation;
  }

  /** Stores the prompts and the schedule that a server elsewhere left of a session, so that it can continue with them. */
  bring(
    id: string,
    { owner, usedBefore, budgetUsd, defer }: ConversationBegin,
    { prompts, schedule }: BroughtItems,
  ): void {
    const conversation = this.#opened.conversation(id, { owner, usedBefore, defer, askedBefore: prompts });
    conversation.setBudget(budgetUsd);
    if (schedule !== undefined) conversation.bringSchedule({ nextAt: undefined, ...schedule });
  }

  /** Ends a conversation, and drops what is waiting; its user learns nothing about it after that. */
  async end(id: string): Promise<void> {
    this.#left.delete(id);
    const host = this.#opened.host(id);
    await this.#opened.delete(id);
    if (host !== undefined) host.user = undefined;
  }

  /** Drops what waits in a session that this server cannot continue with. */
  async endLeft(id: string): Promise<void> {
    if (this.#left.has(id)) await this.end(id);
  }

  /** Nobody here continues with a conversation. */
  forget(id: string): void {
    this.#use(id, undefined);
  }

  /** Drops everything that nobody continues with, except what waits in these sessions: the next server may continue. */
  async forgetOthers(kept: ReadonlySet<string>): Promise<void> {
    const names = this.#opened.list().flatMap(({ name }) => (this.#isUsed(name) ? [] : name));
    for (const name of names) if (kept.has(name) && this.#goesOn(name)) this.#left.add(name);
    for (const name of this.#left) this.#opened.leave(name);
    await Promise.all(names.filter((name) => !this.#left.has(name)).map((name) => this.#opened.delete(name)));
  }

  /** Ends all CLIs. Waiting items are left for the next server. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#manager?.close();
  }

  /** Whether it is ending all CLIs, or has ended them. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Removes the store, unless it has waiting items, what was spent, or records that somebody may want to repair. */
  async clean(): Promise<void> {
    if (this.#left.size > 0) return;
    const isUsed = this.#manager?.list().some(({ name }) => this.#isUsed(name)) ?? false;
    if (isUsed || (this.#manager?.counters.costUsd ?? 0) > 0) return;
    if (this.#store === undefined || this.#store.hasDamaged) return;
    await rm(this.#store.path, { recursive: true, force: true });
  }

  #isUsed(id: string): boolean {
    return this.#manager?.host(id)?.user !== undefined;
  }

  #use(id: string, user: ConversationUser | undefined): void {
    const host = this.#manager?.host(id);
    if (host === undefined) return;
    host.user = user;
    // It hears what becomes of them.
    if (user !== undefined) host.kept.announce();
  }

  get #opened(): LocalManager {
    if (this.#manager !== undefined) return this.#manager;
    throw new CoxswainError('SESSION_ENDED', 'The console is starting.');
  }
}
