import { randomUUID } from 'node:crypto';
import { type ControlPeer, DEFAULT_DEADLINE_MS, type RequestOptions } from '../../wire/peer/control-peer.js';
import type { RequestHandler } from '../../wire/peer/received-requests.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { ExitReport } from '../../wire/transport/process/line-process.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { Listeners } from '../../wire/util/listeners.js';
import { treatedAs } from '../core/connection/cli-version.js';
import { type Connection, connect } from '../core/connection/connection.js';
import type { Launch } from '../core/connection/launch.js';
import { type Gone, Life, type StartedCli } from '../core/connection/life.js';
import type { SessionState } from '../core/connection/state.js';
import { HostRequests } from '../core/requests/host-requests.js';
import { CliRequests } from './cli-requests/cli-requests.js';
import type { RequestAnswer, RequestName, RequestParams } from './controls/call.js';
import { Controls } from './controls/controls.js';
import type { CliFacts } from './endpoints/cli-facts.js';
import { CliState } from './endpoints/cli-state.js';
import { parentRefusal } from './endpoints/parent-uuid.js';
import { handshakeDeadline } from './opening/handshake-deadline.js';
import { initializeBody } from './opening/initialize.js';
import { hiddenRequests, unreachableCallbacks } from './opening/reachability.js';
import { firstConversation, launcherFor, type OwnLaunch } from './opening/session-launch.js';
import { OpenPrompts, type PromptChange, type Prompts } from './prompts/open-prompts.js';
import { SessionServers } from './servers/session-servers.js';
import type { SessionEvents } from './session-events.js';
import type { SessionOptions } from './session-options.js';
import { overBudget } from './turns/budget.js';
import {
  type InterruptOptions,
  type InterruptReceipt,
  interruptReceipt,
  untilBegun,
} from './turns/interrupt.js';
import type { SettledOptions } from './turns/settling.js';
import { loadOutputCheck } from './turns/structured-output.js';
import { Traffic, trafficLimits } from './turns/traffic.js';
import type { SessionTurn, Turn } from './turns/turn.js';
import type { TurnUsage } from './turns/usage.js';
import { type SendOptions, UsedIds, type UserInput, userMessage } from './turns/user-message.js';

/** What a session does not make itself; tests bring their own. */
export interface SessionDeps {
  readonly launch?: OwnLaunch;
  readonly clock?: Clock;
  readonly makeUuid?: () => string;
}

/** A conversation with a CLI: turns, control, and an end that leaves nothing behind. */
export class Session extends Controls implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #makeUuid: () => string;
  readonly #listeners = new Listeners<SessionEvents>();
  readonly #prompts: OpenPrompts;
  readonly #cliRequests: CliRequests;
  readonly #traffic: Traffic;
  readonly #servers: SessionServers;
  readonly #life: Life;
  readonly #requests: HostRequests;
  readonly #usedIds = new UsedIds();
  readonly #onAbort = () => this.#life.abort();
  readonly #cliState: CliState;

  constructor(options: SessionOptions, deps: SessionDeps = {}) {
    super();
    this.#options = options;
    this.#clock = deps.clock ?? systemClock;
    this.#makeUuid = deps.makeUuid ?? randomUUID;
    const onDiagnostic = (diagnostic: Diagnostic) => this.#listeners.emit('diagnostic', diagnostic);
    this.#servers = new SessionServers(options, { session: this, clock: this.#clock, onDiagnostic });
    this.#cliState = new CliState({
      launched: Object.keys(options.mcpServers ?? {}),
      clock: this.#clock,
      servers: this.#servers,
    });
    this.#listen();
    this.#traffic = this.#makeTraffic();
    this.#prompts = new OpenPrompts({
      callbacks: options,
      manual: options.prompts === 'manual',
      timeouts: options.promptTimeouts ?? {},
      clock: this.#clock,
      onChange: (change) => this.#promptChanged(change),
    });
    this.#cliRequests = new CliRequests(options, {
      own: { ...this.#prompts.handlers, mcp_message: this.#servers.handler },
      traffic: this.#traffic,
      sdkMcpServers: () => this.#servers.inProcessNames,
      clock: this.#clock,
    });
    this.#life = this.#makeLife(launcherFor(options, () => this.#servers.list.launched, deps.launch));
    this.#requests = new HostRequests({
      life: this.#life,
      deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      flow: this.#traffic,
      onAnswered: (subtype, params) => this.#cliState.noteAnswered(subtype, params),
      clock: this.#clock,
    });
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
    return this.#life.lastConnection?.version;
  }

  /** The process id of the CLI, while it runs as a process of this session. */
  get pid(): number | undefined {
    return this.#life.pid;
  }

  /** The answer to `initialize`, as it came; kept after the end. */
  get info(): WireObject {
    return this.#life.lastConnection?.info ?? {};
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
    const { reopen } = this.#options;
    // Whoever closed a session may still hold it: only an explicit reopen() brings a closed one back.
    if (this.#life.closed || (this.state === 'ended' && reopen !== 'auto')) throw this.#requests.endedError();
    const message = userMessage(input, options, this.#makeUuid);
    this.#usedIds.use(message.uuid);
    const turn = this.#traffic.add(message.uuid, message);
    if (this.state === 'ended') void this.reopen().catch(() => {});
    return turn;
  }

  /** Stops the running turn; the session goes on. */
  async interrupt({ cancelQueued = false, ...options }: InterruptOptions = {}): Promise<InterruptReceipt> {
    await this.#requests.connected(options);
    await untilBegun(this.#traffic, this.#clock);
    const withdrawn = cancelQueued ? this.#traffic.withdrawAll() : [];
    const interrupted = this.#traffic.running.length > 0;
    this.#traffic.noteInterrupt();
    const params = cancelQueued && treatedAs(this.version) === '2.1.325' ? { cancel_queued: true } : {};
    const answer = await this.control('interrupt', params, options);
    return interruptReceipt(answer, { interrupted, withdrawn });
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
  control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    return this.#requests.send(subtype, params, options);
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

  /** Ends the session; resolves when nothing is left running, to how its process went. May be called twice. */
  close(): Promise<ExitReport | undefined> {
    return this.#life.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async facts(): Promise<CliFacts> {
    return this.#cliState.facts(await this.#requests.connected());
  }

  #listen(): void {
    const { onMessage, onStateChange, onDiagnostic } = this.#options;
    if (onMessage !== undefined) this.on('message', onMessage);
    if (onStateChange !== undefined) this.on('state', onStateChange);
    if (onDiagnostic !== undefined) this.on('diagnostic', onDiagnostic);
    this.#watchSignal();
  }

  /** The caller's signal may outlive many sessions: it is listened to only while this one has a CLI. */
  #watchSignal(): void {
    const { signal } = this.#options;
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) queueMicrotask(this.#onAbort);
  }

  #stateChanged(state: SessionState): void {
    if (state === 'ended') this.#options.signal?.removeEventListener('abort', this.#onAbort);
    if (state === 'starting') this.#watchSignal();
    this.#listeners.emit('state', state);
  }

  #makeTraffic(): Traffic {
    return new Traffic({
      limits: trafficLimits(this.#options),
      clock: this.#clock,
      send: (turn) => this.#sendTurn(turn),
      refuse: () => overBudget(this.#options.budgetUsd, this.usage),
      cancel: (turn) => this.#cancelTurn(turn),
      onUnasked: (turn) => this.#listeners.emit('unasked', turn),
      onOverflow: (buffered) => this.#overflow(buffered),
      onStall: (turns, quietMs) => this.#stall(turns, quietMs),
    });
  }

  #makeLife(launch: Launch): Life {
    return new Life({
      ...firstConversation(this.#options, this.#makeUuid),
      prepare: () => this.#prepare(),
      launch,
      launchMs: handshakeDeadline(this.#options),
      clock: this.#clock,
      onMissing: this.#options.onMissing ?? 'fail',
      makeUuid: this.#makeUuid,
      connect: (start) => this.#connect(start),
      onState: (state) => this.#stateChanged(state),
      onConnected: ({ version }) => this.#opened(version),
      onGone: (cause, how) => this.#gone(cause, how),
    });
  }

  async #connect({ cli, resumes, endError }: StartedCli): Promise<Connection> {
    const options = this.#options;
    this.#prompts.forgetAnswers();
    const readiness = this.#cliRequests.beginHandshake();
    this.#cliState.reset();
    this.#traffic.attach(cli.transport);
    const connection = await connect({
      cli,
      resumes,
      initialize: (version) => initializeBody(options, this.#cliRequests.initializeParts, version),
      needsVersion: Array.isArray(options.systemPrompt),
      watcher: this.#cliRequests,
      register: (peer: ControlPeer) => {
        this.#servers.attach((...request) => this.#requests.sendTo(peer, ...request));
        this.#cliRequests.register(peer);
      },
      handshakeMs: handshakeDeadline(options),
      deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      onMessage: (message, length) => {
        if (this.#life.isCurrent(cli)) this.#receive(message, length);
      },
      onDiagnostic: (diagnostic) => this.#listeners.emit('diagnostic', diagnostic),
      // A CLI that only closed its input is of no more use. In the handshake its request has failed by now.
      onBrokenPipe: (error) => {
        if (this.#life.isCurrent(cli) && this.#life.connection !== undefined) this.#life.abandon(error);
      },
      endError,
      mcpServersPending: () => readiness.pending,
      unreachable: (version) => unreachableCallbacks(options, version),
      clock: this.#clock,
    });
    const servers = await this.#servers.prepare(connection.version, cli);
    this.#cliState.noteAnswered('mcp_set_servers', { servers });
    return connection;
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

  #gone(cause: Error, { asked, aborted, opened }: Gone): void {
    this.#servers.detach();
    this.#cliState.reset();
    // A reopening that failed must not try again by itself: that could go on for ever.
    const keepHeld = !asked && opened && this.#options.reopen === 'auto';
    const outcome = asked ? ({ kind: 'closed' } as const) : ({ kind: 'cli-ended', error: cause } as const);
    this.#traffic.gone(outcome, { keepHeld, discard: aborted });
    if (keepHeld && this.#traffic.busy) void this.reopen().catch(() => {});
  }

  #sendTurn(turn: SessionTurn): void {
    const { connection } = this.#life;
    const { userMessage: message } = turn;
    if (connection === undefined || message === undefined) return;
    const refusal = parentRefusal(message, connection);
    if (refusal !== undefined) {
      this.#traffic.fail(turn, { kind: 'error', message: refusal });
      return;
    }
    connection.peer.send(message).catch((error: unknown) => {
      // Of a broken pipe the peer tells when the end of the CLI does not explain it.
      if (error instanceof CoxswainError && error.code === 'TRANSPORT_CLOSED') return;
      this.#traffic.fail(turn, { kind: 'error', message: errorText(error) });
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

  /** An interrupt that does not help ends the session: what waits behind a dead turn would wait for ever. */
  #stall(turns: readonly SessionTurn[], quietMs: number): void {
    const again = turns.every(({ receipt }) => receipt === 'settled');
    for (const turn of turns) turn.settle({ kind: 'stalled', quietMs });
    const message = `Nothing was heard of the CLI for ${Math.round(quietMs)} ms, and an interrupt did not help.`;
    const giveUp = () => this.#life.abandon(new CoxswainError('SESSION_STALLED', message));
    if (again) giveUp();
    else this.control('interrupt', {}, { deadlineMs: this.#options.stallMs }).catch(giveUp);
  }

  async #prepare(): Promise<void> {
    const { outputFormat } = this.#options;
    if (outputFormat !== undefined) this.#traffic.expectOutput(await loadOutputCheck(outputFormat.schema));
  }
}
