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

/** Where the CLI of a session is. */
export type CliState = 'waiting' | 'starting' | 'connected' | 'parked' | 'none';

/** What {@link SessionCli} tells its session. */
export interface SessionCliOwner {
  readonly id: string;
  /** How its next CLI is started. */
  launch(): SessionOptions;
  /** The permission mode that it begins in. */
  mode(): SessionOptions['permissionMode'];
  /** A CLI was started, and has said nothing yet. */
  attached(session: Session): void;
  /** Something that whoever looks on should know. */
  note(code: string, text: string): void;
  /** A message waits until somebody decides about money. */
  asksForMoney(prompt: BudgetPrompt): void;
  /** How its conversation begins, if there is none yet. */
  begins(): ConversationBegin;
  /** Whether what waits may go on without whoever opened it. */
  mayWait(): boolean;
  /** It is in another state. */
  changed(): void;
  /** It is gone; what it had is settled, or waits for the next. */
  lost(): void;
}

/** The CLI of one session: on its way, there, parked, or none. */
export class SessionCli implements CliUser {
  readonly id: string;
  readonly #owner: SessionCliOwner;
  readonly #clis: SessionClis;
  #launch: SessionOptions | undefined;
  #session: Session | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is on its way. */
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

  /** The server is asked once for each CLI. */
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

  /** Its conversation with the manager; undefined where it was never started here, or has ended. */
  get conversation(): Conversation | undefined {
    return this.#clis.conversation(this.id);
  }

  /** The session with the last CLI, whatever became of it. */
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

  /** Whether it can be asked. */
  get isReady(): boolean {
    return this.#session?.state === 'ready';
  }

  /** The session with the CLI. @throws CoxswainError `SESSION_ENDED` where there is none that can be asked. */
  get connected(): Session {
    if (this.#session !== undefined && this.isReady) return this.#session;
    throw new CoxswainError('SESSION_ENDED', `The session is ${WHY_NOT[this.state]}.`);
  }

  /** What the CLI asked and nobody has answered, as it came. */
  get pending(): readonly WireObject[] {
    return (this.#session?.prompts.open ?? []).map(({ id, raw }) => ({
      type: 'control_request',
      request_id: id,
      request: raw,
    }));
  }

  /** What CLIs asked that are gone. */
  get keptPrompts(): readonly KeptPrompt[] {
    return this.#owner.mayWait() ? this.#clis.keptPrompts(this.id) : [];
  }

  /** Whether a message is left for the next server. */
  isLeft(uuid: string): boolean {
    const { isClosed } = this.#clis;
    if (!isClosed || !this.#owner.mayWait() || !this.#clis.goesOn(this.id)) return false;
    return this.#clis.turns(this.id).some(({ userMessageId }) => userMessageId === uuid);
  }

  /** Goes on with what a server before left; gives the messages that wait, or undefined if there is nothing. */
  adopt(): readonly Turn[] | undefined {
    return this.#clis.adopt(this) ? this.#clis.turns(this.id) : undefined;
  }

  /** The one before is of no interest any more; says whether it was parked. */
  forget(): boolean {
    const wasParked = this.state === 'parked';
    this.#session = undefined;
    this.#launch = undefined;
    this.#parked = false;
    this.#waits = false;
    return wasParked;
  }

  /** Sends a message, as soon as the CLI can take it. @throws CoxswainError `SESSION_ENDED` where there is none. */
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

  /** Resolves when what a CLI had that is gone is settled, or waits for the next. */
  untilKnown(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves when messages can be sent, where a CLI is on its way. */
  async untilSendable(): Promise<void> {
    await this.#coming?.promise;
  }

  /** Why a CLI ended; undefined if it was closed, or if another one goes on for it. */
  async failure(session: Session): Promise<string | undefined> {
    // Whatever is asked of a session that has ended is refused with the cause.
    const refusal = await session.control('mcp_status').catch((error: unknown) => error);
    await this.untilKnown();
    const isOver = session === this.#session && !this.isOpen;
    if (!isOver || !(refusal instanceof Error) || !(refusal.cause instanceof Error)) return undefined;
    return refusal.cause.message;
  }

  /** Says whether the CLI is in use: one that is not may be parked. */
  use(isUsed: boolean): void {
    const isThere = this.#coming === undefined && (this.state === 'starting' || this.state === 'connected');
    if (isThere && isUsed) this.#letGo ??= this.#clis.hold(this.id);
    else {
      this.#letGo?.();
      this.#letGo = undefined;
    }
  }

  /** The server stops: what waits is left for the next one, unless a program has to be there for it. */
  async leave(): Promise<void> {
    if (!this.#clis.isClosed) return;
    await this.untilKnown();
    if (!this.#owner.mayWait() || !this.#clis.goesOn(this.id)) this.#clis.forget(this.id);
    this.#lost();
  }

  /** Ends the CLI, also one that is on its way; resolves when nothing is left running. */
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
