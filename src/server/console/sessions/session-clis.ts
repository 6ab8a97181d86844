import { rm } from 'node:fs/promises';
import { startSession } from '../../../entry/sdk/open-session.js';
import { type CallPrompt, callPrompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionDeps } from '../../../host/session/session-host.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Conversation, ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { ConversationUser } from '../../manager/conversations/conversation-user.js';
import type { Surroundings } from '../../manager/conversations/surroundings.js';
import type { LocalManager } from '../../manager/local-manager.js';
import type { ManagerOptions } from '../../manager/manager-options.js';
import { openManager } from '../../manager/open-manager.js';
import type { StoredPrompt } from '../../manager/store/record.js';
import { type TakenStore, takeStore } from './session-store.js';

/** A session, as {@link SessionClis} needs it. */
export interface CliUser extends ConversationUser {
  readonly id: string;
  /** How its conversation starts, if there is none yet. */
  begins(): ConversationBegin;
}

/** What is already known about a session's usage when its conversation starts. */
export interface ConversationBegin {
  /** Who is charged for it. */
  readonly owner: string | undefined;
  readonly usedBefore: TurnUsage;
  readonly budgetUsd: number | undefined;
}

/** How a message is sent. */
export type SentOptions = ConversationSendOptions & { readonly uuid: string };

/** The dependencies of {@link SessionClis}. */
export interface SessionClisOptions {
  /** Where managers store what is waiting: one store per running server. */
  readonly folder: string;
  readonly clock: Clock;
  /** User settings. Default of `idleMs`: until another session needs the slot. */
  readonly manager: Pick<ManagerOptions, 'maxRunning' | 'idleMs' | 'onLimit' | 'limitSpreadMs' | 'budgets'>;
  /** Called before a CLI gets a message. */
  readonly hand?: Hand | undefined;
}

/** Records that the CLI of a session is about to get a message; resolves with whether it may. */
export type Hand = NonNullable<Surroundings['hand']>;

/**
 * The conversations of all sessions: a manager takes their messages, starts, counts and parks their CLIs, and keeps
 * waiting items across restarts. Everything else about a session is in a separate file.
 */
export class SessionClis {
  readonly #options: SessionClisOptions;
  readonly #conversations = new Map<string, Conversation>();
  #manager: LocalManager | undefined;
  #store: TakenStore | undefined;
  #closed = false;

  constructor(options: SessionClisOptions) {
    this.#options = options;
  }

  /**
   * Starts using this server's manager; resolves with what could not be read, in words. Anything that continues on its
   * own must be adopted immediately.
   */
  async open(): Promise<readonly string[]> {
    const { folder, clock, manager: chosen, hand } = this.#options;
    const store = await takeStore(folder);
    this.#store = store;
    const idleMs = chosen.idleMs ?? Number.POSITIVE_INFINITY;
    const options: ManagerOptions = {
      ...chosen,
      // A page, a phone or a webhook answers, now or later.
      defaults: { prompts: 'manual' },
      store: store.path,
      idleMs,
    };
    this.#manager = await openManager(options, { clock, hand, startSession: startUnread });
    return store.problems;
  }

  /** Continues with what an earlier server left of a session; returns whether there is anything. */
  adopt(user: CliUser): boolean {
    const { id } = user;
    const manager = this.#opened;
    if (!manager.list().some(({ name }) => name === id)) return false;
    const conversation = manager.find(id);
    if (conversation.turns.length === 0 && callPrompts(conversation.prompts).length === 0) return false;
    if (conversation.state === 'failed') conversation.retry();
    this.#use(id, user);
    this.#conversations.set(id, conversation);
    return true;
  }

  /** Stores the prompts that a server elsewhere left of a session, so that it can continue with them. */
  bring(
    id: string,
    { owner, usedBefore, budgetUsd }: ConversationBegin,
    prompts: readonly StoredPrompt[],
  ): void {
    const conversation = this.#opened.conversation(id, { owner, usedBefore, askedBefore: prompts });
    conversation.setBudget(budgetUsd);
  }

  /** Drops everything that was not adopted. */
  async forgetOthers(): Promise<void> {
    const left = this.#opened.list().filter(({ name }) => !this.#conversations.has(name));
    await Promise.all(left.map(({ name }) => this.#opened.delete(name)));
  }

  /** Starts a CLI once there is a slot for it; resolves when it is ready. */
  async start(user: CliUser, goesOn: boolean): Promise<Session> {
    if (!goesOn) await this.end(user.id);
    const conversation = this.#conversations.get(user.id) ?? this.#begin(user);
    this.#use(user.id, user);
    if (conversation.state === 'failed') conversation.retry();
    this.#conversations.set(user.id, conversation);
    return conversation.wake().catch((error: unknown) => {
      if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
    });
  }

  /** Sends a message: immediately, even while a turn is running, or when there is a CLI again. */
  send(id: string, input: UserInput, options: SentOptions): Turn {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    return conversation.send(input, { whileBusy: 'join', ...options });
  }

  /** The conversation of a session, if it has one. */
  conversation(id: string): Conversation | undefined {
    return this.#conversations.get(id);
  }

  /** The messages of a session that have not settled. */
  turns(id: string): readonly Turn[] {
    return this.#conversations.get(id)?.turns ?? [];
  }

  /** Requests from a session's earlier CLIs. */
  keptPrompts(id: string): readonly CallPrompt[] {
    const conversation = this.#conversations.get(id);
    return conversation === undefined ? [] : callPrompts(conversation.prompts);
  }

  /** Keeps a CLI from being parked; the returned function undoes that. */
  hold(id: string): (() => void) | undefined {
    return this.#conversations.get(id)?.watch();
  }

  /** Ends the CLI of a session as soon as nothing runs. */
  async park(id: string): Promise<void> {
    await this.#conversations.get(id)?.park();
  }

  /** Ends a session's CLI, even if it is waiting for its slot, and drops what is waiting. */
  async end(id: string): Promise<void> {
    this.#use(id, undefined);
    if (this.#conversations.delete(id)) await this.#manager?.delete(id);
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

  /** The next server has nothing to do for a session. */
  forget(id: string): void {
    this.#use(id, undefined);
    this.#conversations.delete(id);
  }

  /** Removes the store, unless it has waiting items, what was spent, or records that somebody may want to repair. */
  async clean(): Promise<void> {
    if (this.#conversations.size > 0 || (this.#manager?.counters.costUsd ?? 0) > 0) return;
    if (this.#store === undefined || this.#store.hasDamaged) return;
    await rm(this.#store.path, { recursive: true, force: true });
  }

  /** Whether something in a session is waiting: a message, or a prompt. */
  goesOn(id: string): boolean {
    return this.turns(id).length > 0 || this.keptPrompts(id).length > 0;
  }

  #begin(user: CliUser): Conversation {
    const { owner, usedBefore, budgetUsd } = user.begins();
    const conversation = this.#opened.conversation(user.id, { owner, usedBefore });
    conversation.setBudget(budgetUsd);
    return conversation;
  }

  #use(id: string, user: ConversationUser | undefined): void {
    const host = this.#manager?.host(id);
    if (host !== undefined) host.user = user;
  }

  get #opened(): LocalManager {
    if (this.#manager !== undefined) return this.#manager;
    throw new CoxswainError('SESSION_ENDED', 'The console is starting.');
  }
}

/** Readers use the log. */
function startUnread(options: SessionOptions, deps?: SessionDeps): Session {
  return startSession(options, { ...deps, readsTurns: false });
}
