import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ExitReport } from '../../../wire/transport/process/line-process.js';
import type { TransportEnd } from '../../../wire/transport/transport.js';
import { type Clock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { AbortedError, CoxswainError } from '../../../wire/util/errors.js';
import type { HostRole } from '../host-role.js';
import type { Flow } from '../messages/flow.js';
import type { MessageDispatcher } from '../messages/message-dispatcher.js';
import type { CliRequestHandlers } from '../requests/cli-request-handlers.js';
import { CliEndedError } from './cli-ended-error.js';
import { type Connection, type ConnectionOwner, connect } from './connection.js';
import type { Identity, Launch, LaunchedCli } from './launch.js';
import { nextState, type SessionState, type SessionStep } from './state.js';

/** How long to wait for an abandoned start to complete, so that it can be ended. */
const LATE_START_MS = 5_000;

/** The conversation that the first CLI is started for, and what to do if it is missing. */
export interface ConversationStart {
  /** The initial id; undefined if only the CLI knows it. */
  readonly sessionId: string | undefined;
  /** Whether the first start resumes a conversation. */
  readonly resumes: boolean;
  readonly onMissing: 'fail' | 'fresh';
  readonly makeUuid: () => string;
}

/** The options of {@link Life}. */
export interface LifeOptions {
  readonly launch: Launch;
  readonly conversation: ConversationStart;
  /** The time limits of a start and of the handshake after it. */
  readonly handshakeMs: number;
  readonly deadlineMs: number;
  readonly clock: Clock;
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The dependencies of {@link Life}. */
export interface LifeParts {
  readonly role: HostRole;
  readonly messages: MessageDispatcher;
  readonly handlers: CliRequestHandlers;
  readonly flow: Flow;
}

/** The life of a session: one CLI after another, never two at once. Owns the processes and ends them. */
export class Life implements ConnectionOwner {
  readonly #options: LifeOptions;
  readonly #parts: LifeParts;
  readonly #onAbort = () => this.abort(this.#options.signal?.reason);
  #state: SessionState = 'starting';
  #sessionId: string | undefined;
  #ready: Promise<WireObject>;
  #connection: Connection | undefined;
  #lastConnection: Connection | undefined;
  #cli: LaunchedCli | undefined;
  /** The previous CLI, which may still be running; the next start and every close wait for it. */
  #lastCli: LaunchedCli | undefined;
  /** Ends a CLI whose start completed after nobody waited for it any more. */
  #latecomer: Promise<unknown> = Promise.resolve();
  #closing: Promise<ExitReport | undefined> | undefined;
  #closeAsked = deferred<never>();
  #cause: Error | undefined;
  /** The reason of the owner's signal, if it ended the session. */
  #aborted: AbortedError | undefined;
  #closed: CoxswainError | undefined;
  #first = true;
  #onDisk: boolean;

  constructor(options: LifeOptions, parts: LifeParts) {
    this.#options = options;
    this.#parts = parts;
    this.#sessionId = options.conversation.sessionId;
    this.#onDisk = options.conversation.resumes;
    parts.messages.on('system/init', (init) => this.#noteInit(init));
    for (const kind of ['system/init', 'command_lifecycle'] as const)
      parts.messages.on(kind, (message) => this.#connection?.capabilities.noteMessage(message));
    this.#watchSignal();
    this.#ready = this.#begin();
  }

  get state(): SessionState {
    return this.#state;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The CLI's process id, while there is one. */
  get pid(): number | undefined {
    return this.#cli?.pid;
  }

  /** Whether another CLI, or this one, is renewing the login that it uses. */
  get renewsLogin(): boolean {
    return this.#cli?.login?.isBeingRenewed() === true;
  }

  /** The usable connection. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** The current connection, or the last one. */
  get lastConnection(): Connection | undefined {
    return this.#lastConnection;
  }

  /** Why the session ended, once it has. */
  get cause(): Error | undefined {
    return this.#cause;
  }

  /** Whether the owner closed the session and has not reopened it. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Settles with the answer to `initialize`, or rejects with the reason why there is none. */
  get ready(): Promise<WireObject> {
    return this.#ready;
  }

  /** Handles a message of a CLI; messages of an earlier one are ignored. */
  receive(cli: LaunchedCli, message: WireObject, length: number): void {
    if (this.#cli === cli) this.#parts.messages.dispatch(message, length);
  }

  /** A CLI that only closed its input is useless. During the handshake, its request has failed by now. */
  pipeBroke(cli: LaunchedCli, error: Error): void {
    if (this.#cli === cli && this.#connection !== undefined) this.abandon(error);
  }

  /** One cause for everything that waits, created when the end is first noticed. */
  endError(end: TransportEnd, waitedFor: readonly string[]): Error {
    this.#cause ??=
      this.#closing === undefined ? new CliEndedError(end, this.#state, waitedFor) : this.#closedError();
    return this.#cause;
  }

  /** Starts a new CLI for the same conversation. */
  reopen(): Promise<WireObject> {
    if (this.#state === 'starting' || this.#state === 'handshaking') return this.#ready;
    if (this.#state !== 'ended') {
      return Promise.reject(
        new CoxswainError('OPTION_INVALID', `Cannot reopen the session: it is ${this.#state}.`),
      );
    }
    this.#step('reopened');
    this.#watchSignal();
    this.#cause = undefined;
    this.#aborted = undefined;
    this.#closed = undefined;
    this.#closing = undefined;
    this.#closeAsked = deferred();
    this.#ready = this.#begin();
    return this.#ready;
  }

  /** Ends the CLI. Resolves when nothing is left running, to the exit of its process if there was one. */
  close(): Promise<ExitReport | undefined> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes without waiting: the session ends immediately, and the CLI is shut down in the background. */
  abort(reason: unknown): void {
    if (this.#closing === undefined)
      this.#aborted = new AbortedError('SESSION_ENDED', 'The session was aborted.', reason);
    void this.close();
    this.#gone(this.#closedError(), true);
  }

  /**
   * Ends the session for its own reason: everything that waits gets it immediately, and the CLI is shut down in the
   * background.
   */
  abandon(cause: Error): void {
    const transport = this.#cli?.transport;
    this.#gone(cause);
    void transport?.close();
  }

  #begin(): Promise<WireObject> {
    this.#closeAsked.promise.catch(() => {});
    const ready = this.#open();
    // A caller that awaits it sees the failure; nobody has to.
    ready.catch(() => {});
    return ready;
  }

  async #open(): Promise<WireObject> {
    // Lets the session's constructor finish before any callback runs.
    await null;
    try {
      return await this.#openOnce();
    } catch (error) {
      if (!this.#mayStartFresh(error)) return this.#fail(error);
    }
    const missing = this.#sessionId;
    this.#sessionId = this.#options.conversation.makeUuid();
    this.#tellFresh(missing, this.#sessionId);
    this.#onDisk = false;
    this.#first = false;
    this.#cause = undefined;
    try {
      return await this.#openOnce();
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #openOnce(): Promise<WireObject> {
    await this.#lastGone();
    await this.#parts.role.prepare?.();
    const before = this.#lastCli?.exit?.();
    const cli = await this.#launch();
    this.#cli = cli;
    this.#lastCli = cli;
    try {
      return await this.#completeHandshake(cli, before);
    } catch (error) {
      await cli.transport.close();
      throw error;
    }
  }

  /** A CLI that nobody waits for any more ends as soon as it has started. */
  async #launch(): Promise<LaunchedCli> {
    const launching = this.#options.launch(this.#identity());
    const { clock, handshakeMs } = this.#options;
    try {
      return await Promise.race([inTime(launching, handshakeMs, clock), this.#closeAsked.promise]);
    } catch (error) {
      this.#latecomer = launching.then(({ transport }) => transport.close()).catch(() => {});
      throw error;
    }
  }

  async #completeHandshake(cli: LaunchedCli, before: ExitReport | undefined): Promise<WireObject> {
    if (this.#closing !== undefined) throw this.#closedError();
    this.#step('launched');
    const { role, messages, handlers, flow } = this.#parts;
    flow.attach(cli.transport);
    const { handshakeMs, deadlineMs, clock } = this.#options;
    const resumes = this.#onDisk;
    const parts = {
      cli,
      resumes,
      before,
      role,
      messages,
      handlers,
      owner: this,
      handshakeMs,
      deadlineMs,
      clock,
    };
    const connection = await connect(parts);
    await role.settleIn?.(connection, cli);
    if (this.#cli !== cli) throw this.#closedError();
    this.#first = false;
    this.#connection = connection;
    this.#lastConnection = connection;
    this.#step('initialized');
    role.connected?.(connection);
    void connection.transport.ended.then((end) => {
      if (this.#cli === cli) this.#gone(this.endError(end, []));
    });
    return connection.info;
  }

  /** The CLI reported its conversation, and that it is on disk. */
  #noteInit({ session_id: sessionId }: WireObject): void {
    if (typeof sessionId !== 'string') return;
    this.#sessionId = sessionId;
    this.#onDisk = true;
  }

  /** The caller's signal may outlive many sessions, so it has a listener only while this one has a CLI. */
  #watchSignal(): void {
    const { signal } = this.#options;
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) queueMicrotask(this.#onAbort);
  }

  #identity(): Identity {
    return { sessionId: this.#sessionId, resume: this.#onDisk, first: this.#first };
  }

  #mayStartFresh(error: unknown): boolean {
    const missing = error instanceof CoxswainError && error.code === 'SESSION_MISSING';
    return missing && this.#options.conversation.onMissing === 'fresh' && this.#closing === undefined;
  }

  #tellFresh(missing: string | undefined, sessionId: string): void {
    const message = `The conversation ${missing ?? 'to resume'} does not exist, so a new one was started: ${sessionId}.`;
    this.#parts.role.diagnostic?.({ code: 'CONVERSATION_MISSING', message, missing, sessionId });
  }

  #fail(error: unknown): never {
    const cause = error instanceof Error ? error : new Error(String(error));
    this.#gone(cause);
    throw cause;
  }

  #gone(cause: Error, aborted = false): void {
    if (this.#state === 'ended') return;
    const how = { asked: this.#closing !== undefined, aborted, opened: this.#connection !== undefined };
    this.#cause = cause;
    this.#connection?.peer.abandon(cause);
    this.#connection = undefined;
    this.#cli = undefined;
    this.#step('gone');
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#parts.flow.stop();
    this.#parts.role.gone(cause, how);
  }

  async #close(): Promise<ExitReport | undefined> {
    const wasReady = this.#connection !== undefined;
    this.#closeAsked.reject(this.#closedError());
    this.#step('close-asked');
    await this.#lastCli?.transport.close({ graceMs: this.#parts.role.closing?.() });
    if (!wasReady) await this.#ready.catch(() => {});
    await this.#lastGone();
    this.#gone(this.#closedError());
    return this.#lastCli?.exit?.();
  }

  /** Waits until the previous CLI is gone. The wait for a start that never completes is limited. */
  async #lastGone(): Promise<void> {
    await this.#lastCli?.transport.close();
    await within(this.#latecomer, LATE_START_MS, this.#options.clock);
  }

  /** The cause for everything that ends because the owner closed the session. */
  #closedError(): CoxswainError {
    this.#closed ??= this.#aborted ?? new CoxswainError('SESSION_ENDED', 'The session was closed.');
    return this.#closed;
  }

  #step(step: SessionStep): void {
    const next = nextState(this.#state, step);
    if (next === this.#state) return;
    this.#state = next;
    this.#parts.role.stateChanged?.(next);
  }
}

async function inTime(launching: Promise<LaunchedCli>, ms: number, clock: Clock): Promise<LaunchedCli> {
  let stopTimer = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    stopTimer = clock.after(ms, () =>
      reject(new CoxswainError('HANDSHAKE_TIMEOUT', `The CLI was not started within ${ms} ms.`)),
    );
  });
  try {
    return await Promise.race([launching, late]);
  } finally {
    stopTimer();
  }
}
