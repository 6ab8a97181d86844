import type { ClientName, SessionSummary } from '../../../entry/remote/contract.js';
import { type AnyPrompt, type CallPrompt, callPrompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type CliEnd, type ConversationState, ownedStateOf } from '../../conversation/states.js';
import type { ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { ConversationUser } from '../../manager/conversations/conversation-user.js';
import type { ManagedConversation } from '../../manager/conversations/managed-conversation.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { ConsoleManager, ConversationBegin } from './console-manager.js';

/** How a message is sent. */
export type SentOptions = ConversationSendOptions & { readonly uuid: string };

/** The CLI of one session: starting, running, parked, or none. A conversation of the server's manager has it. */
export class SessionCli {
  readonly #id: string;
  readonly #user: ConversationUser;
  readonly #manager: ConsoleManager;
  #conversation: ManagedConversation | undefined;
  #session: Session | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is starting. */
  #coming: Deferred<void> | undefined;
  /** How its last CLI ended; undefined while there is one, and before the first. */
  #end: CliEnd | undefined;
  /** Resolves when what is left of a CLI that is ending is settled; undefined if nobody waits for that. */
  #gone: Deferred<void> | undefined;
  #isClosing = false;
  #letGo: (() => void) | undefined;

  /** `user` is its session, which hears about its conversation. */
  constructor({ id, state }: SessionSummary, manager: ConsoleManager, user: ConversationUser) {
    this.#id = id;
    this.#user = user;
    this.#manager = manager;
    if (state === 'parked') this.#end = { why: 'parked', error: undefined };
  }

  /** Its conversation in the manager; undefined if it was never started here, or has ended. */
  get conversation(): ManagedConversation | undefined {
    return this.#conversation;
  }

  /** The session with the last CLI, in whatever state. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The state of its conversation; `ended` if nothing starts a CLI again until someone reopens it. */
  get state(): ConversationState | 'ended' {
    const conversation = this.#conversation;
    return ownedStateOf(conversation?.state ?? 'parked', {
      isComing: this.#coming !== undefined,
      ahead: conversation?.ahead,
      isSettling: this.#session !== undefined && this.#end === undefined,
      hasMessages: this.#hasMessages,
      mayContinue: () => this.#end?.why === 'parked' || this.keptPrompts.length > 0,
    });
  }

  /** Whether there is one, or will be soon. */
  get isOpen(): boolean {
    return !CLOSED.has(this.state);
  }

  /** Whether its CLI is ending, or has ended and what it had is not settled yet. */
  get isEnding(): boolean {
    const state = this.#session?.state;
    return this.#isClosing || (this.#end === undefined && (state === 'ending' || state === 'ended'));
  }

  /** Resolves when its CLI is gone if that is ending, else at once. */
  async untilGone(): Promise<void> {
    if (!this.isEnding) return;
    this.#gone ??= deferred<void>();
    await this.#gone.promise;
  }

  /** Why its last CLI ended, unless somebody ended it. */
  get failure(): Error | undefined {
    return this.#end?.error;
  }

  /** Whether it accepts requests. */
  get isReady(): boolean {
    return this.#session?.state === 'ready';
  }

  /** The session with the CLI. @throws CoxswainError `SESSION_ENDED` if there is none to ask. */
  get connected(): Session {
    if (this.#session !== undefined && this.isReady) return this.#session;
    throw new CoxswainError('SESSION_ENDED', `The session is ${WHY_NOT[this.state]}.`);
  }

  /** Unanswered requests from the CLI and from earlier ones, unchanged. */
  get pending(): readonly WireObject[] {
    const open = new Set([...this.keptPrompts, ...(this.#session?.prompts.open ?? [])]);
    return [...open].map(({ id, raw }) => ({
      type: 'control_request',
      request_id: id,
      request: raw,
    }));
  }

  /** Whether anything is running or waiting. */
  get isBusy(): boolean {
    return this.#conversation?.isBusy ?? false;
  }

  get #hasMessages(): boolean {
    return (this.#conversation?.turns.length ?? 0) > 0;
  }

  /** Requests from CLIs that are gone. */
  get keptPrompts(): readonly CallPrompt[] {
    const conversation = this.#conversation;
    return conversation === undefined || !this.#user.mayWait ? [] : callPrompts(conversation.prompts);
  }

  /** The decision about a budget that its messages wait for. */
  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#conversation?.budgetPrompt;
  }

  /** The open prompt with an id, also one whose CLI is gone. */
  findPrompt(id: string): AnyPrompt | BudgetPrompt | undefined {
    if (this.budgetPrompt?.id === id) return this.budgetPrompt;
    return this.#session?.prompts.find(id) ?? this.keptPrompts.find((prompt) => prompt.id === id);
  }

  /** Whether a message has not settled. */
  has(uuid: string): boolean {
    return this.#conversation?.turns.some(({ userMessageId }) => userMessageId === uuid) ?? false;
  }

  /** Cancels a message that has not started. */
  async takeBack(uuid: string): Promise<boolean> {
    const turn = this.#conversation?.turns.find(({ userMessageId }) => userMessageId === uuid);
    return (await turn?.cancel()) ?? false;
  }

  /** Continues with what an earlier server left; returns the ids of its prompts and messages. */
  adopt(): readonly string[] {
    const waiting = this.#manager.waiting(this.#id);
    this.#conversation = this.#manager.adopt(this.#id, this.#user);
    return this.#conversation === undefined ? [] : waiting;
  }

  /** Its CLI is gone with an earlier server: the next message starts one. */
  standBy(): void {
    this.#end = { why: 'parked', error: undefined };
  }

  /** The previous one no longer matters; returns whether the next one goes on with its messages and prompts. */
  forget(): boolean {
    // A failed one may have left prompts, too.
    const goesOn = this.state === 'parked' || this.keptPrompts.length > 0;
    this.#session = undefined;
    this.#end = undefined;
    return goesOn;
  }

  /** Sends a message as soon as the CLI can take it. @throws CoxswainError `SESSION_ENDED` if there is none. */
  send(input: UserInput, options: SentOptions, by: ClientName): void {
    const conversation = this.#conversation;
    if (conversation === undefined || CLOSED_FOR_MESSAGES.has(this.state))
      throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    conversation.send(input, { whileBusy: 'join', ...options }, by);
  }

  /**
   * Starts a CLI once there is a slot for it, for the same messages as before if `goesOn`; resolves when it is ready.
   * `begin` says how its conversation starts, if there is none yet.
   */
  async start(goesOn: boolean, begin: () => ConversationBegin): Promise<Session> {
    const coming = deferred<void>();
    coming.promise.catch(() => {});
    this.#coming = coming;
    this.#user.changed();
    try {
      if (!goesOn) await this.end();
      return await this.#wake(begin);
    } catch (error) {
      coming.reject(error);
      this.#coming = undefined;
      throw error;
    }
  }

  async #wake(begin: () => ConversationBegin): Promise<Session> {
    this.#conversation ??= this.#manager.begin(this.#id, this.#user, begin());
    if (this.#conversation.state === 'failed') this.#conversation.retry();
    return this.#conversation.wake().catch((error: unknown) => {
      if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
    });
  }

  /** A CLI was started, and has sent nothing yet. */
  attached(session: Session): void {
    this.#session = session;
    this.#end = undefined;
    this.#coming?.resolve();
    this.#coming = undefined;
  }

  /** The CLI is gone, and what it had is settled; returns false if {@link close} is not done yet, and says so later. */
  ended(end: CliEnd): boolean {
    if (this.#isClosing) return false;
    this.#end = end;
    this.#gone?.resolve();
    this.#gone = undefined;
    return true;
  }

  /** If a CLI is starting, resolves when messages can be sent. */
  async untilSendable(): Promise<void> {
    await this.#coming?.promise;
  }

  /** Says whether the CLI is in use: an unused one may be parked. */
  use(isUsed: boolean): void {
    const isThere = this.#coming === undefined && (this.state === 'starting' || this.state === 'running');
    if (isThere && isUsed) this.#letGo ??= this.#conversation?.watch();
    else {
      this.#letGo?.();
      this.#letGo = undefined;
    }
  }

  /** The server stops: waiting messages are left for the next one, unless they need a program. */
  async leave(): Promise<void> {
    if (!this.#manager.isClosed) return;
    const isWaiting = this.#hasMessages || this.keptPrompts.length > 0;
    if (!this.#user.mayWait || !isWaiting) {
      this.#conversation = undefined;
      this.#manager.forget(this.#id);
    }
    this.#user.ended(this.#end ?? { why: 'closed', error: undefined });
  }

  /** Ends the CLI as soon as nothing runs. */
  async park(): Promise<void> {
    await this.#conversation?.park();
  }

  /** Ends its conversation, even if that is waiting for a slot, and drops what is waiting. */
  async end(): Promise<void> {
    if (this.#conversation === undefined) return;
    this.#conversation = undefined;
    await this.#manager.end(this.#id);
  }

  /** Ends the CLI, even if it is still starting; resolves when nothing is left running. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await this.end();
      await this.#session?.close();
    } finally {
      this.#isClosing = false;
      this.#user.ended({ why: 'closed', error: undefined });
    }
  }
}

/** States without a CLI. */
const CLOSED: ReadonlySet<SessionCli['state']> = new Set(['parked', 'failed', 'deleted', 'ended']);
/** Those of them in which a message starts none. */
const CLOSED_FOR_MESSAGES: ReadonlySet<SessionCli['state']> = new Set(['failed', 'deleted', 'ended']);

const NONE = 'not connected to a CLI';
const WHY_NOT: Readonly<Record<SessionCli['state'], string>> = {
  queued: 'waiting for a free slot',
  starting: 'still starting',
  running: NONE,
  limited: 'waiting for the end of a usage limit',
  paused: 'waiting for a decision about its budget',
  deferred: 'waiting for the answer to a deferred call',
  parked: 'parked: the next message starts its CLI again',
  failed: NONE,
  deleted: NONE,
  ended: NONE,
};
