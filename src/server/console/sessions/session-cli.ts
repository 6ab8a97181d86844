import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Conversation } from '../../manager/conversations/conversation.js';
import type { KeptPrompt } from '../../manager/conversations/kept-prompts.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { CliUser, ConversationBegin, SentOptions, SessionClis } from './session-clis.js';

/** The state of a session's CLI. */
export type CliState = 'waiting' | 'starting' | 'connected' | 'parked' | 'none';

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
  /** Whether waiting messages may continue without the program that opened the session. */
  mayWait(): boolean;
  /** Its state has changed. */
  changed(): void;
  /** It is gone; its open items are settled, or wait for the next CLI. */
  lost(): void;
}

/** The CLI of one session: starting, running, parked, or none. */
export class SessionCli implements CliUser {
  readonly id: string;
  readonly #owner: SessionCliOwner;
  readonly #clis: SessionClis;
  #launch: SessionOptions | undefined;
  #session: Session | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is starting. */
  #coming: Deferred<void> | undefined;
  #waits = false;
  #parked: boolean;
  #letGo: (() => void) | undefined;

  constructor(owner: SessionCliOwner, clis: SessionClis, parked: boolean) {
    this.id = owner.id;
    this.#owner = owner;
    this.#clis = clis;
    this.#parked = parked;
  }

  /** The server is asked once per CLI. */
  launch(): SessionOptions {
    this.#launch ??= this.#owner.launch();
    return this.#launch;
  }

  mode(): SessionOptions['permissionMode'] {
    return this.#owner.mode();
  }

  begins(): ConversationBegin {
    return this.#owner.begins();
  }

  /** Its conversation in the manager; undefined if it was never started here, or has ended. */
  get conversation(): Conversation | undefined {
    return this.#clis.conversation(this.id);
  }

  /** The session with the last CLI, in whatever state. */
  get session(): Session | undefined {
    return this.#session;
  }

  get state(): CliState {
    if (this.#coming !== undefined) return this.#waits ? 'waiting' : 'starting';
    const inner = this.#session?.state;
    if (inner === undefined || inner === 'ended') {
      // Its messages wait for the end of a limit, or for another CLI after a crash.
      if (this.#clis.turns(this.id).length > 0) return 'waiting';
      return this.#parked || this.keptPrompts.length > 0 ? 'parked' : 'none';
    }
    return inner === 'starting' || inner === 'handshaking' ? 'starting' : 'connected';
  }

  /** Whether there is one, or will be soon. */
  get isOpen(): boolean {
    return this.state !== 'none' && this.state !== 'parked';
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

  /** Unanswered requests from the CLI, unchanged. */
  get pending(): readonly WireObject[] {
    return (this.#session?.prompts.open ?? []).map(({ id, raw }) => ({
      type: 'control_request',
      request_id: id,
      request: raw,
    }));
  }

  /** Requests from CLIs that are gone. */
  get keptPrompts(): readonly KeptPrompt[] {
    return this.#owner.mayWait() ? this.#clis.keptPrompts(this.id) : [];
  }

  /** Whether a message is left for the next server. */
  isLeft(uuid: string): boolean {
    const { isClosed } = this.#clis;
    if (!isClosed || !this.#owner.mayWait() || !this.#clis.goesOn(this.id)) return false;
    return this.#clis.turns(this.id).some(({ userMessageId }) => userMessageId === uuid);
  }

  /**
   * Continues with what an earlier server left; returns the waiting messages, or undefined if there is
   * nothing.
   */
  adopt(): readonly Turn[] | undefined {
    return this.#clis.adopt(this) ? this.#clis.turns(this.id) : undefined;
  }

  /** The previous one no longer matters; returns whether it was parked. */
  forget(): boolean {
    const wasParked = this.state === 'parked';
    this.#session = undefined;
    this.#launch = undefined;
    this.#parked = false;
    this.#waits = false;
    return wasParked;
  }

  /** Sends a message as soon as the CLI can take it. @throws CoxswainError `SESSION_ENDED` if there is none. */
  send(input: UserInput, options: SentOptions): Turn {
    if (this.state === 'none') throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    return this.#clis.send(this.id, input, options);
  }

  /** Starts a CLI, for the same messages as before if `goesOn`; resolves when it is ready. */
  async start(goesOn: boolean): Promise<Session> {
    const coming = deferred<void>();
    coming.promise.catch(() => {});
    this.#coming = coming;
    this.#owner.changed();
    try {
      return await this.#clis.start(this, goesOn);
    } catch (error) {
      coming.reject(error);
      this.#coming = undefined;
      this.#parked = false;
      throw error;
    }
  }

  attached(session: Session): void {
    this.#owner.attached(session);
    this.#session = session;
    this.#parked = false;
    session.on('state', (state) => {
      if (state === 'ending') this.#parked = this.#clis.isParking(this.id);
      if (state !== 'ended') return this.#owner.changed();
      this.#launch = undefined;
      void this.untilKnown().then(() => this.#lost());
    });
    this.#coming?.resolve();
    this.#coming = undefined;
    this.#owner.changed();
  }

  waits(): void {
    this.#waits = true;
    this.#owner.changed();
  }

  note(code: string, text: string): void {
    this.#owner.note(code, text);
    this.#owner.changed();
  }

  asksForMoney(prompt: BudgetPrompt): void {
    this.#owner.asksForMoney(prompt);
  }

  /** Resolves when everything the lost CLI had is settled, or waits for the next CLI. */
  untilKnown(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** If a CLI is starting, resolves when messages can be sent. */
  async untilSendable(): Promise<void> {
    await this.#coming?.promise;
  }

  /** Why a CLI ended; undefined if it was closed, or if another one replaces it. */
  async failure(session: Session): Promise<string | undefined> {
    // Requests to an ended session are refused with the cause.
    const refusal = await session.control('mcp_status').catch((error: unknown) => error);
    await this.untilKnown();
    const isOver = session === this.#session && !this.isOpen;
    if (!isOver || !(refusal instanceof Error) || !(refusal.cause instanceof Error)) return undefined;
    return refusal.cause.message;
  }

  /** Says whether the CLI is in use: an unused one may be parked. */
  use(isUsed: boolean): void {
    const isThere = this.#coming === undefined && (this.state === 'starting' || this.state === 'connected');
    if (isThere && isUsed) this.#letGo ??= this.#clis.hold(this.id);
    else {
      this.#letGo?.();
      this.#letGo = undefined;
    }
  }

  /** The server stops: waiting messages are left for the next one, unless they need a program. */
  async leave(): Promise<void> {
    if (!this.#clis.isClosed) return;
    await this.untilKnown();
    if (!this.#owner.mayWait() || !this.#clis.goesOn(this.id)) this.#clis.forget(this.id);
    this.#lost();
  }

  /** Ends the CLI, even if it is still starting; resolves when nothing is left running. */
  async close(): Promise<void> {
    await this.#clis.end(this.id);
    await this.#session?.close();
    this.#parked = false;
    this.#lost();
  }

  #lost(): void {
    this.#owner.lost();
    this.#owner.changed();
  }
}

const WHY_NOT: Readonly<Record<CliState, string>> = {
  waiting: 'waiting for a free slot',
  starting: 'still starting',
  connected: 'not connected to a CLI',
  none: 'not connected to a CLI',
  parked: 'parked: the next message starts its CLI again',
};
