import { type CallPrompt, callPrompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { LoginLimits } from '../../../wire/protocol/reading/plan-limits.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type CliEnd, type ConversationState, ownedStateOf } from '../../conversation/states.js';
import type { Conversation, ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { ConversationUser, ToldAnswer } from '../../manager/conversations/conversation-user.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { ConsoleManager, ConversationBegin } from './console-manager.js';
import { withoutStart } from './session-options.js';

/** How a message is sent. */
export type SentOptions = ConversationSendOptions & { readonly uuid: string };

/** What {@link SessionCli} reports to its session. */
export interface SessionCliOwner {
  readonly id: string;
  /** How its next CLI is started. */
  launch(): SessionOptions;
  /** The permission mode that it starts in. */
  mode(): SessionOptions['permissionMode'];
  /** A CLI was started, and has sent nothing yet. */
  attached(session: Session): void;
  /** A notice for viewers. */
  note(code: string, text: string): void;
  /** A message is waiting for a budget decision. */
  asksForMoney(prompt: BudgetPrompt): void;
  /** How its conversation starts, if there is none yet. */
  begins(): ConversationBegin;
  /** The usage limits of its login. */
  limited(limits: LoginLimits): void;
  /** The manager sends a message that tells the model about an answer. */
  told(message: ToldAnswer): void;
  /** Whether waiting messages may continue without the program that opened the session. */
  mayWait(): boolean;
  /** Its state has changed. */
  changed(): void;
  /** It is gone; its open items are settled, or wait for the next CLI. */
  lost(): void;
}

/** The CLI of one session: starting, running, parked, or none. A conversation of the server's manager has it. */
export class SessionCli implements ConversationUser {
  readonly #owner: SessionCliOwner;
  readonly #manager: ConsoleManager;
  #conversation: Conversation | undefined;
  #launch: SessionOptions | undefined;
  #session: Session | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is starting. */
  #coming: Deferred<void> | undefined;
  /** How its last CLI ended; undefined while there is one, and before the first. */
  #end: CliEnd | undefined;
  /** Resolves when what is left of a CLI that is ending is settled; undefined if nobody waits for that. */
  #gone: Deferred<void> | undefined;
  #isClosing = false;
  #letGo: (() => void) | undefined;

  constructor(owner: SessionCliOwner, manager: ConsoleManager, parked: boolean) {
    this.#owner = owner;
    this.#manager = manager;
    if (parked) this.#end = { why: 'parked', error: undefined };
  }

  /** How its next CLI is started; the server is asked once per CLI. */
  get asked(): SessionOptions {
    this.#launch ??= this.#owner.launch();
    return this.#launch;
  }

  launch(resumes: boolean): LaunchOptions {
    const { asked } = this;
    // Whatever the mode was before: the console decides in which mode a CLI may start.
    const permissionMode = this.#owner.mode() ?? asked.permissionMode;
    // Undefined if a program has its own rules for prompts.
    return { prompts: undefined, ...(resumes ? withoutStart(asked) : asked), permissionMode };
  }

  /** Its conversation in the manager; undefined if it was never started here, or has ended. */
  get conversation(): Conversation | undefined {
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
      hasMessages: this.turns.length > 0,
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

  /** Its messages that have not settled. */
  get turns(): readonly Turn[] {
    return this.#conversation?.turns ?? [];
  }

  /** Requests from CLIs that are gone. */
  get keptPrompts(): readonly CallPrompt[] {
    const conversation = this.#conversation;
    return conversation === undefined || !this.#owner.mayWait() ? [] : callPrompts(conversation.prompts);
  }

  /** Whether a message is left for the next server. */
  isLeft(uuid: string): boolean {
    const mayBe = this.#manager.isClosed && this.#owner.mayWait();
    return mayBe && this.turns.some(({ userMessageId }) => userMessageId === uuid);
  }

  /** Continues with what an earlier server left; returns whether there is anything. */
  adopt(): boolean {
    this.#conversation = this.#manager.adopt(this.#owner.id, this);
    return this.#conversation !== undefined;
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
    this.#launch = undefined;
    this.#end = undefined;
    return goesOn;
  }

  /** Sends a message as soon as the CLI can take it. @throws CoxswainError `SESSION_ENDED` if there is none. */
  send(input: UserInput, options: SentOptions): Turn {
    const conversation = this.#conversation;
    if (conversation === undefined || CLOSED_FOR_MESSAGES.has(this.state))
      throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    return conversation.send(input, { whileBusy: 'join', ...options });
  }

  /** Starts a CLI once there is a slot for it, for the same messages as before if `goesOn`; resolves when it is ready. */
  async start(goesOn: boolean): Promise<Session> {
    const coming = deferred<void>();
    coming.promise.catch(() => {});
    this.#coming = coming;
    this.#owner.changed();
    try {
      if (!goesOn) await this.end();
      return await this.#wake();
    } catch (error) {
      coming.reject(error);
      this.#coming = undefined;
      throw error;
    }
  }

  async #wake(): Promise<Session> {
    this.#conversation ??= this.#manager.begin(this.#owner.id, this, this.#owner.begins());
    if (this.#conversation.state === 'failed') this.#conversation.retry();
    return this.#conversation.wake().catch((error: unknown) => {
      if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
    });
  }

  attached(session: Session): void {
    this.#owner.attached(session);
    this.#session = session;
    this.#end = undefined;
    this.#coming?.resolve();
    this.#coming = undefined;
    this.#owner.changed();
  }

  changed(): void {
    const conversation = this.#conversation;
    if (conversation?.state === 'limited') {
      const until = conversation.facts.limitUntil?.toISOString();
      this.#note('LIMIT_WAITS', `A usage limit is reached, or nearly. The message is sent after ${until}.`);
    }
    this.#owner.changed();
  }

  ended(end: CliEnd): void {
    this.#launch = undefined;
    this.#end = end;
    this.#lost();
  }

  notRepeated(): void {
    this.#note('NOT_REPEATED', 'The CLI did not repeat the call you answered.');
  }

  told(message: ToldAnswer): void {
    this.#owner.told(message);
  }

  limited(limits: LoginLimits): void {
    this.#owner.limited(limits);
  }

  asksForMoney(prompt: BudgetPrompt): void {
    this.#owner.asksForMoney(prompt);
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
    const isWaiting = this.turns.length > 0 || this.keptPrompts.length > 0;
    if (!this.#owner.mayWait() || !isWaiting) {
      this.#conversation = undefined;
      this.#manager.forget(this.#owner.id);
    }
    this.#end ??= { why: 'closed', error: undefined };
    this.#lost();
  }

  /** Ends the CLI as soon as nothing runs. */
  async park(): Promise<void> {
    await this.#conversation?.park();
  }

  /** Ends its conversation, even if that is waiting for a slot, and drops what is waiting. */
  async end(): Promise<void> {
    if (this.#conversation === undefined) return;
    this.#conversation = undefined;
    await this.#manager.end(this.#owner.id);
  }

  /** Ends the CLI, even if it is still starting; resolves when nothing is left running. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await this.end();
      await this.#session?.close();
    } finally {
      this.#isClosing = false;
      this.#end = { why: 'closed', error: undefined };
      this.#lost();
    }
  }

  #note(code: string, text: string): void {
    this.#owner.note(code, text);
    this.#owner.changed();
  }

  #lost(): void {
    this.#gone?.resolve();
    this.#gone = undefined;
    this.#owner.lost();
    this.#owner.changed();
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
