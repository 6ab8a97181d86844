import { rm } from 'node:fs/promises';
import { startSession } from '../../../entry/sdk/open-session.js';
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
import type { KeptPrompt } from '../../manager/conversations/kept-prompts.js';
import type { Manager } from '../../manager/manager.js';
import type { LaunchOptions, ManagerOptions } from '../../manager/manager-options.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import { openManager } from '../../manager/open-manager.js';
import { withoutStart } from './session-options.js';
import { takeStore } from './session-store.js';

/** A session, as {@link SessionClis} needs it. */
export interface CliUser {
  readonly id: string;
  /** How its next CLI is started. */
  launch(): SessionOptions;
  /** The permission mode that it begins in. */
  mode(): SessionOptions['permissionMode'];
  /** A CLI was started for it, and has said nothing yet. */
  attached(session: Session): void;
  /** It has to wait until another session gives its place up. */
  waits(): void;
  /** Something that whoever looks on should know. */
  note(code: string, text: string): void;
  /** A message waits until somebody decides about money. */
  asksForMoney(prompt: BudgetPrompt): void;
  /** How its conversation begins, if there is none yet. */
  begins(): ConversationBegin;
}

/** What is known of a session that its conversation counts with. */
export interface ConversationBegin {
  /** Whom its costs are counted for. */
  readonly owner: string | undefined;
  readonly usedBefore: TurnUsage;
  readonly budgetUsd: number | undefined;
}

/** How a message is sent. */
export type SentOptions = Omit<ConversationSendOptions, 'whileBusy'> & { readonly uuid: string };

/** What {@link SessionClis} works with. */
export interface SessionClisOptions {
  /** Where managers keep what waits: one store for each server that runs. */
  readonly folder: string;
  readonly clock: Clock;
  /** What is the user's to choose. Default of `idleMs`: until another session needs its place. */
  readonly manager: Pick<ManagerOptions, 'maxRunning' | 'idleMs' | 'onLimit' | 'limitSpreadMs' | 'budgets'>;
}

/** States in which the manager may park. */
const PARKED_FROM: ReadonlySet<unknown> = new Set(['running', 'paused']);

/**
 * The conversations of all sessions: a manager takes their messages, starts, counts and parks their CLIs, and keeps what waits over
 * restarts. What is known of a session without that is in a file of its own.
 */
export class SessionClis {
  readonly #options: SessionClisOptions;
  readonly #users = new Map<string, CliUser>();
  readonly #conversations = new Map<string, Conversation>();
  #manager: Manager | undefined;
  #store = '';
  #closed = false;

  constructor(options: SessionClisOptions) {
    this.#options = options;
  }

  /** Takes the manager of this server into use. Whatever goes on by itself must be adopted at once. */
  async open(): Promise<void> {
    const { folder, clock, manager: chosen } = this.#options;
    this.#store = await takeStore(folder);
    const idleMs = chosen.idleMs ?? Number.POSITIVE_INFINITY;
    const options: ManagerOptions = {
      ...chosen,
      store: this.#store,
      idleMs,
      optionsFor: ({ name, sessionId }) => this.#launch(name, sessionId !== undefined),
    };
    this.#manager = await openManager(options, { clock, startSession: (...given) => this.#start(...given) });
    this.#listen(this.#manager);
  }

  /** Goes on with what a server before left of a session; says whether there is anything. */
  adopt(user: CliUser): boolean {
    const { id } = user;
    const manager = this.#opened;
    if (!manager.list().some(({ name }) => name === id)) return false;
    const conversation = manager.find(id);
    if (conversation.turns.length === 0 && conversation.keptPrompts.length === 0) return false;
    if (conversation.state === 'failed') conversation.retry();
    this.#users.set(id, user);
    this.#conversations.set(id, conversation);
    return true;
  }

  /** Forgets what nobody has adopted. */
  async forgetOthers(): Promise<void> {
    const left = this.#opened.list().filter(({ name }) => !this.#conversations.has(name));
    await Promise.all(left.map(({ name }) => this.#opened.delete(name)));
  }

  /** Starts a CLI once there is a place for it; resolves when it is ready. */
  async start(user: CliUser, goesOn: boolean): Promise<Session> {
    if (!goesOn) await this.end(user.id);
    this.#users.set(user.id, user);
    const conversation = this.#conversations.get(user.id) ?? this.#begin(user);
    if (conversation.state === 'failed') conversation.retry();
    this.#conversations.set(user.id, conversation);
    return conversation.wake().catch((error: unknown) => {
      if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
    });
  }

  /** Sends a message: at once, also while a turn runs, or when there is a CLI again. */
  send(id: string, input: UserInput, options: SentOptions): Turn {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    return conversation.send(input, { ...options, whileBusy: 'join' });
  }

  /** The conversation of a session, if it has one. */
  conversation(id: string): Conversation | undefined {
    return this.#conversations.get(id);
  }

  /** The messages of a session that have not settled. */
  turns(id: string): readonly Turn[] {
    return this.#conversations.get(id)?.turns ?? [];
  }

  /** What CLIs of a session asked that are gone. */
  keptPrompts(id: string): readonly KeptPrompt[] {
    return this.#conversations.get(id)?.keptPrompts ?? [];
  }

  /** Keeps a CLI from being parked; the returned function stops that. */
  hold(id: string): (() => void) | undefined {
    return this.#conversations.get(id)?.watch();
  }

  /** Ends the CLI of a session as soon as nothing runs. */
  async park(id: string): Promise<void> {
    await this.#conversations.get(id)?.park();
  }

  /** Whether it is the manager that ends the CLI of a session. */
  isParking(id: string): boolean {
    const conversation = this.#conversations.get(id);
    if (this.#closed) return false;
    // It gives the session up before it ends it.
    return PARKED_FROM.has(conversation?.state) && conversation?.info === undefined;
  }

  /** Ends the CLI of a session, also one that waits for its place, and forgets what waits. */
  async end(id: string): Promise<void> {
    this.#users.delete(id);
    if (this.#conversations.delete(id)) await this.#manager?.delete(id);
  }

  /** Ends all CLIs. What waits is left for the next server. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#manager?.close();
  }

  /** Whether it ends all CLIs, or has. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The next server has nothing to do for a session. */
  forget(id: string): void {
    this.#users.delete(id);
    this.#conversations.delete(id);
  }

  /** Removes the store, if nothing is left for the next server: what waits, or what was spent. */
  async clean(): Promise<void> {
    if (this.#conversations.size > 0 || this.#store === '' || (this.#manager?.counters.costUsd ?? 0) > 0)
      return;
    await rm(this.#store, { recursive: true, force: true });
  }

  /** Whether something of a session waits: a message, or a prompt for its answer. */
  goesOn(id: string): boolean {
    return this.turns(id).length > 0 || this.keptPrompts(id).length > 0;
  }

  #begin(user: CliUser): Conversation {
    const { owner, usedBefore, budgetUsd } = user.begins();
    const conversation = this.#opened.conversation(user.id, { owner, usedBefore });
    conversation.setBudget(budgetUsd);
    return conversation;
  }

  get #opened(): Manager {
    if (this.#manager !== undefined) return this.#manager;
    throw new CoxswainError('SESSION_ENDED', 'The console is starting.');
  }

  #launch(name: string, goesOn: boolean): LaunchOptions {
    const launch = this.#users.get(name)?.launch() ?? {};
    // Undefined where a program brings its own rules for prompts.
    return { prompts: undefined, ...(goesOn ? withoutStart(launch) : launch) };
  }

  #start(options: SessionOptions, deps?: SessionDeps, name = ''): Session {
    const user = this.#users.get(name);
    // Whatever the conversation was in before: the console decides in which mode a CLI may begin.
    const permissionMode = user?.mode() ?? user?.launch().permissionMode;
    const session = startSession({ ...options, permissionMode }, deps);
    user?.attached(session);
    return session;
  }

  #listen(manager: Manager): void {
    manager.on('state', ({ conversation: id, state }) => {
      // Most often its place is there at once.
      if (state === 'queued') setImmediate(() => this.#tellWaiting(id));
      if (state === 'limited') this.#tellLimit(id);
    });
    manager.on('budget', ({ conversation: id, prompt }) => this.#users.get(id)?.asksForMoney(prompt));
    manager.on('not-repeated', ({ conversation: id }) =>
      this.#users.get(id)?.note('NOT_REPEATED', 'The answered call was not repeated.'),
    );
  }

  #tellLimit(id: string): void {
    const until = this.#conversations.get(id)?.facts.limitUntil?.toISOString();
    const text = `A usage limit was reached. The message is sent again after ${until}.`;
    this.#users.get(id)?.note('LIMIT_WAITS', text);
  }

  #tellWaiting(id: string): void {
    if (this.#conversations.get(id)?.state === 'queued') this.#users.get(id)?.waits();
  }
}
