import { randomUUID } from 'node:crypto';
import type { ControlPeer, RequestOptions } from '../peer/control-peer.js';
import type { RequestHandler } from '../peer/received-requests.js';
import { findHostRequest } from '../protocol/catalog/catalog.js';
import { isObject, type WireObject } from '../protocol/frames.js';
import { type Clock, systemClock } from '../util/clock.js';
import type { Diagnostic } from '../util/diagnostics.js';
import { CoxswainError } from '../util/errors.js';
import { Listeners } from '../util/listeners.js';
import { CliRequests } from './cli-requests/cli-requests.js';
import { treatedAs } from './cli-version.js';
import { type Connection, connect, redeliver } from './connection.js';
import type { RequestAnswer, RequestName, RequestParams } from './controls/call.js';
import { Controls } from './controls/controls.js';
import type { CliFacts } from './endpoints/cli-facts.js';
import { CliState } from './endpoints/cli-state.js';
import { checkRequest } from './gates.js';
import { handshakeDeadline } from './handshake-deadline.js';
import { initializeBody } from './initialize.js';
import { type InterruptOptions, type InterruptReceipt, untilBegun } from './interrupt.js';
import { type Launch, launcherFor } from './launch.js';
import { type Gone, Life, type StartedCli } from './life.js';
import { PromptBook, type PromptChange, type Prompts } from './prompts/prompt-book.js';
import { hiddenRequests, unreachableCallbacks } from './reachability.js';
import type { SessionOptions } from './session-options.js';
import type { SettledOptions } from './settling.js';
import type { SessionState } from './state.js';
import { loadOutputCheck } from './structured-output.js';
import { Traffic } from './traffic.js';
import type { SessionTurn, Turn } from './turn.js';
import type { TurnUsage } from './usage.js';
import { type SendOptions, UsedIds, type UserInput, userMessage } from './user-message.js';

/** What a session tells its listeners. */
export interface SessionEvents extends Record<string, unknown> {
  readonly state: SessionState;
  readonly message: WireObject;
  readonly unasked: Turn;
  readonly prompt: PromptChange;
  readonly diagnostic: Diagnostic;
}

/** What a session does not make itself; tests bring their own. */
export interface SessionDeps {
  readonly launch?: Launch;
  readonly clock?: Clock;
  readonly makeUuid?: () => string;
}

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_LIMITS = { messages: 10_000, characters: 8 * 1024 * 1024, hardCharacters: 256 * 1024 * 1024 };
/** A conversation with a CLI: turns, control, and an end that leaves nothing behind. */
export class Session extends Controls implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #makeUuid: () => string;
  readonly #listeners = new Listeners<SessionEvents>();
  readonly #prompts: PromptBook;
  readonly #cliRequests: CliRequests;
  readonly #traffic: Traffic;
  readonly #life: Life;
  readonly #usedIds = new UsedIds();
  readonly #cliState: CliState;

  constructor(options: SessionOptions, deps: SessionDeps = {}) {
    super();
    this.#options = options;
    this.#clock = deps.clock ?? systemClock;
    this.#makeUuid = deps.makeUuid ?? randomUUID;
    this.#cliState = new CliState({
      launched: Object.keys(options.mcpServers ?? {}),
      clock: this.#clock,
      ownTools: () => undefined,
    });
    this.#listen();
    this.#traffic = this.#makeTraffic();
    this.#prompts = new PromptBook({
      callbacks: options,
      manual: options.prompts === 'manual',
      timeouts: options.promptTimeouts ?? {},
      clock: this.#clock,
      onChange: (change) => this.#promptChanged(change),
    });
    this.#cliRequests = new CliRequests(options, {
      prompts: this.#prompts.handlers,
      onOpen: () => this.#traffic.promptOpened(),
    });
    this.#life = this.#makeLife(deps.launch ?? launcherFor(options));
  }

  /** The conversation's id; undefined only until a session opened with `continue` has had its first turn. */
  get id(): string | undefined {
    return this.#life.sessionId;
  }

  get state(): SessionState {
    return this.#life.state;
  }

  /** What the session waits for: control requests, prompts that the host has not answered, running turns. */
  get waitingFor(): readonly string[] {
    const turns = this.#traffic.running.length > 0 ? ['turn'] : [];
    return [...(this.#life.connection?.peer.waitingFor ?? []), ...this.#cliRequests.open, ...turns];
  }

  /** The CLI's version, once it is known. */
  get version(): string | undefined {
    return this.#life.connection?.version;
  }

  /** The process id of the CLI, while it runs as a process of this session. */
  get pid(): number | undefined {
    return this.#life.pid;
  }

  /** The answer to `initialize`, as it came. */
  get info(): WireObject {
    return this.#life.connection?.info ?? {};
  }

  /** Settles when the session can be used, or with why it cannot. */
  get ready(): Promise<WireObject> {
    return this.#life.ready;
  }

  /** What the session has cost so far, over all its CLIs. */
  get usage(): TurnUsage {
    return this.#traffic.usage;
  }

  /** What a person has to decide: the open prompts, to be answered from anywhere in the program. */
  get prompts(): Prompts {
    return this.#prompts;
  }

  /** Turns that nobody asked for: newer CLIs begin one when background work ends. */
  get unasked(): AsyncIterable<Turn> {
    return this.#traffic.unasked;
  }

  /** Listens to the session; the returned function stops that. */
  on<Event extends keyof SessionEvents>(
    event: Event,
    listener: (value: SessionEvents[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener);
  }

  /** Every message from now on, also those of no turn. One reader; a slow one makes the CLI wait. */
  messages(): AsyncIterable<WireObject> {
    return this.#traffic.messages();
  }

  /** Sends a user message; it is held until the session is ready and its time has come. */
  send(input: UserInput, options: SendOptions = {}): Turn {
    const { reopen, budgetUsd } = this.#options;
    const over = this.state === 'ending' || (this.state === 'ended' && reopen !== 'auto');
    if (over) throw this.#endedError();
    const message = userMessage(input, options, this.#makeUuid);
    this.#usedIds.use(message.uuid);
    if (budgetUsd !== undefined && this.usage.costUsd >= budgetUsd) {
      const spent = `The session's budget of ${budgetUsd} USD is spent; nothing was sent.`;
      return this.#traffic.refuse(message.uuid, { kind: 'budget', by: 'host', message: spent });
    }
    const turn = this.#traffic.add(message.uuid, message);
    if (this.state === 'ended') void this.reopen().catch(() => {});
    return turn;
  }

  /** Stops the running turn; the session goes on. */
  async interrupt({ cancelQueued = false, ...options }: InterruptOptions = {}): Promise<InterruptReceipt> {
    await untilBegun(this.#traffic, this.#clock);
    const withdrawn = cancelQueued ? this.#traffic.withdrawAll() : [];
    const interrupted = this.#traffic.running.length > 0;
    this.#traffic.noteInterrupt();
    const params = cancelQueued && treatedAs(this.version) === '2.1.325' ? { cancel_queued: true } : {};
    const answer = await this.control('interrupt', params, options);
    const held = withdrawn.flatMap(({ userMessageId }) => userMessageId ?? []);
    return {
      interrupted,
      stillQueued: strings(answer.still_queued),
      cancelled: [...held, ...strings(answer.cancelled)],
    };
  }

  /**
   * Sends any control request and resolves to its answer, `{}` for a plain ack. Before the session is ready it
   * waits for that; on an ended session it rejects at once.
   */
  control<Name extends RequestName>(
    subtype: Name,
    params?: RequestParams<Name>,
    options?: RequestOptions,
  ): Promise<RequestAnswer<Name>>;
  async control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    const connection = await this.#connected();
    const body = { ...params, subtype };
    checkRequest(body, connection.version, connection.patched);
    const deadlineMs = options.deadlineMs ?? this.#deadlineOf(subtype);
    const ended = this.#traffic.requestBegan();
    try {
      const { value, beside } = await connection.peer.request(body, { ...options, deadlineMs });
      redeliver(connection.peer, beside);
      this.#cliState.noteAnswered(subtype, params);
      return isObject(value) ? value : {};
    } finally {
      ended();
    }
  }

  /** Answers a kind of CLI request from now on, also after a reopening; the returned function stops that. */
  handle(subtype: string, handler: RequestHandler): () => void {
    return this.#cliRequests.handle(subtype, handler);
  }

  /** Resolves when nothing runs and nothing waits: no turn, no background work. */
  settled(options?: SettledOptions): Promise<void> {
    return this.#traffic.settled(options);
  }

  /** Opens an ended session again: a new CLI that resumes the conversation, with the same hooks and callbacks. */
  reopen(): Promise<WireObject> {
    return this.#life.reopen();
  }

  /** Ends the session; resolves when nothing is left running. May be called twice. */
  close(): Promise<void> {
    return this.#life.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async facts(): Promise<CliFacts> {
    return this.#cliState.facts(await this.#connected());
  }

  #listen(): void {
    const { onMessage, onStateChange, onDiagnostic, signal } = this.#options;
    if (onMessage !== undefined) this.on('message', onMessage);
    if (onStateChange !== undefined) this.on('state', onStateChange);
    if (onDiagnostic !== undefined) this.on('diagnostic', onDiagnostic);
    const onAbort = () => void this.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) queueMicrotask(onAbort);
  }

  #makeTraffic(): Traffic {
    const { buffer = {}, stallMs = Number.POSITIVE_INFINITY } = this.#options;
    return new Traffic({
      limits: {
        messages: buffer.messages ?? DEFAULT_LIMITS.messages,
        characters: buffer.characters ?? DEFAULT_LIMITS.characters,
        hardCharacters: buffer.hardCharacters ?? DEFAULT_LIMITS.hardCharacters,
        stallMs,
      },
      clock: this.#clock,
      send: (turn) => this.#sendTurn(turn),
      cancel: (turn) => this.#cancelTurn(turn),
      onUnasked: (turn) => this.#listeners.emit('unasked', turn),
      onOverflow: (buffered) => this.#overflow(buffered),
      onStall: (turns, quietMs) => this.#stall(turns, quietMs),
    });
  }

  #makeLife(launch: Launch): Life {
    const { sessionId, resume, forkSession, continue: goesOn, onMissing = 'fail' } = this.#options;
    const own = goesOn === true && forkSession !== true ? undefined : this.#makeUuid();
    return new Life({
      launch,
      sessionId: sessionId ?? (forkSession === true ? own : (resume ?? own)),
      resumes: resume !== undefined || goesOn === true,
      onMissing,
      makeUuid: this.#makeUuid,
      connect: (start) => this.#connect(start),
      onState: (state) => this.#listeners.emit('state', state),
      onConnected: ({ version }) => this.#opened(version),
      onGone: (cause, how) => this.#gone(cause, how),
    });
  }

  async #connect({ cli, resumes, endError }: StartedCli): Promise<Connection> {
    const options = this.#options;
    const readiness = this.#cliRequests.beginHandshake();
    this.#cliState.reset();
    this.#traffic.attach(cli.transport);
    if (options.outputFormat !== undefined)
      this.#traffic.expectOutput(await loadOutputCheck(options.outputFormat.schema));
    return connect({
      cli,
      resumes,
      initialize: (version) => initializeBody(options, this.#cliRequests.initializeParts, version),
      needsVersion: Array.isArray(options.systemPrompt),
      register: (peer: ControlPeer) => this.#cliRequests.register(peer),
      handshakeMs: handshakeDeadline(options),
      deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      signal: options.signal,
      onMessage: (message, length) => this.#receive(message, length),
      onDiagnostic: (diagnostic) => this.#listeners.emit('diagnostic', diagnostic),
      endError,
      mcpServersPending: () => readiness.pending,
      unreachable: (version) => unreachableCallbacks(options, version),
      clock: this.#clock,
    });
  }

  #promptChanged(change: PromptChange): void {
    const { prompt } = change;
    // Old CLIs report such a turn like any failed one.
    if (prompt.kind === 'permission' && prompt.interrupts) this.#traffic.noteInterrupt();
    this.#listeners.emit('prompt', change);
  }

  #opened(version: string | undefined): void {
    for (const diagnostic of hiddenRequests(this.#options, version))
      this.#listeners.emit('diagnostic', diagnostic);
    this.#traffic.connected(treatedAs(version) === '2.1.325');
  }

  #receive(message: WireObject, length: number): void {
    if (message.type === 'system' && message.subtype === 'init' && typeof message.session_id === 'string') {
      this.#life.noteSessionId(message.session_id);
    }
    this.#cliState.noteMessage(message);
    this.#traffic.receive(message, length);
    this.#listeners.emit('message', message);
  }

  #gone(cause: Error, { asked, opened }: Gone): void {
    // A reopening that failed must not try again by itself: that could go on for ever.
    const keepHeld = !asked && opened && this.#options.reopen === 'auto';
    this.#traffic.gone(asked ? { kind: 'closed' } : { kind: 'cli-ended', error: cause }, { keepHeld });
    if (keepHeld && this.#traffic.busy) void this.reopen().catch(() => {});
  }

  async #connected(): Promise<Connection> {
    if (this.state === 'ended' || this.state === 'ending') throw this.#endedError();
    if (this.state !== 'ready') await this.ready;
    const { connection } = this.#life;
    if (connection === undefined) throw this.#endedError();
    return connection;
  }

  #endedError(): CoxswainError {
    const { cause } = this.#life;
    if (cause instanceof CoxswainError && cause.code === 'SESSION_ENDED') return cause;
    const why = cause === undefined ? '' : ` ${cause.message}`;
    return new CoxswainError('SESSION_ENDED', `The session has ended.${why} Call reopen() to go on.`, {
      cause,
    });
  }

  #deadlineOf(subtype: string): number {
    const own = this.#options.deadlineMs ?? DEFAULT_DEADLINE_MS;
    return Math.max(own, findHostRequest(subtype)?.deadlineMs ?? 0);
  }

  #sendTurn(turn: SessionTurn): void {
    const peer = this.#life.connection?.peer;
    const { userMessage: message } = turn;
    if (peer === undefined || message === undefined) return;
    peer.send(message).catch((error: unknown) => {
      // When the CLI is gone the turn hears of it with everything else; else the line itself was at fault.
      if (this.state === 'ready')
        turn.settle({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    });
  }

  async #cancelTurn(turn: SessionTurn): Promise<boolean> {
    if (this.#traffic.withdraw(turn)) return true;
    const { userMessageId, receipt } = turn;
    if (userMessageId === undefined || receipt !== 'queued' || treatedAs(this.version) !== '2.1.325')
      return false;
    const answer = await this.control('cancel_async_message', { message_uuid: userMessageId });
    return answer.cancelled === true;
  }

  #overflow(buffered: number): void {
    const message = `${buffered} characters of messages wait for readers; the session was ended. Read faster, or raise buffer.hardCharacters.`;
    this.#life.abandon(new CoxswainError('SESSION_OVERFLOW', message));
  }

  #stall(turns: readonly SessionTurn[], quietMs: number): void {
    for (const turn of turns) turn.settle({ kind: 'stalled', quietMs });
    void this.control('interrupt').catch(() => {});
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
