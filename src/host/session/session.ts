import { randomUUID } from 'node:crypto';
import type { RequestOptions } from '../../wire/peer/control-peer.js';
import type { RequestHandler } from '../../wire/peer/received-requests.js';
import { type CliRequestName, findCliRequest } from '../../wire/protocol/catalog/catalog.js';
import type { InitializeAnswer } from '../../wire/protocol/catalog/host/initialize-request.schemas.js';
import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { PlanLimits } from '../../wire/protocol/reading/plan-limits.js';
import type { ExitReport } from '../../wire/transport/process/line-process.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { Life } from '../core/connection/life.js';
import type { SessionState } from '../core/connection/state.js';
import type { HostRequests } from '../core/requests/host-requests.js';
import { type CliRequestHandler, noSuchRequest } from './cli-request-handler.js';
import type { RequestAnswer, RequestName, RequestParams } from './controls/call.js';
import { Controls } from './controls/controls.js';
import { type OneCall, oneCall } from './controls/one-call.js';
import type { CliFacts } from './endpoints/cli-facts.js';
import type { Prompts } from './prompts/open-prompts.js';
import type { SessionEvents } from './session-events.js';
import { type SessionDeps, SessionHost } from './session-host.js';
import type { SessionOptions } from './session-options.js';
import {
  type InterruptOptions,
  type InterruptReceipt,
  interruptReceipt,
  untilBegun,
} from './turns/interrupt.js';
import type { MessagesOptions, SessionTurns } from './turns/session-turns.js';
import type { SettledOptions } from './turns/settling.js';
import type { Turn } from './turns/turn.js';
import type { TurnUsage } from './turns/usage.js';
import { type SendOptions, UsedIds, type UserInput, userMessage } from './turns/user-message.js';

/** A conversation with a CLI: turns, control requests, prompts, and a shutdown that leaves nothing running. */
export class Session<Output = unknown> extends Controls implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #makeUuid: () => string;
  readonly #host: SessionHost;
  readonly #life: Life;
  readonly #requests: HostRequests;
  readonly #turns: SessionTurns;
  readonly #usedIds = new UsedIds();

  constructor(options: SessionOptions, { makeUuid = randomUUID, ...deps }: SessionDeps = {}) {
    super();
    this.#options = options;
    this.#makeUuid = makeUuid;
    this.#host = new SessionHost(options, this, { ...deps, makeUuid });
    this.#life = this.#host.core.life;
    this.#requests = this.#host.core.requests;
    this.#turns = this.#host.turns;
    const { onMessage, onStateChange, onDiagnostic } = options;
    const { listeners } = this.#host;
    if (onMessage !== undefined) listeners.on('message', onMessage, 'onMessage');
    if (onStateChange !== undefined) listeners.on('state', onStateChange, 'onStateChange');
    if (onDiagnostic) listeners.on('diagnostic', onDiagnostic, 'onDiagnostic');
  }

  /** The id of the conversation; undefined only in a session opened with `continue`, until its first turn. */
  get id(): string | undefined {
    return this.#life.sessionId;
  }

  /** What the session is doing. */
  get state(): SessionState {
    return this.#life.state;
  }

  /** What the session is waiting for: control requests, unanswered prompts, running turns. */
  get waitingFor(): readonly string[] {
    const turns = this.#turns.running.length > 0 ? ['turn'] : [];
    return [...(this.#life.connection?.peer.waitingFor ?? []), ...this.#host.core.handlers.open, ...turns];
  }

  /** Why the session ended, if nobody closed it; undefined while it is open. */
  get failure(): Error | undefined {
    if (this.state !== 'ended') return undefined;
    const { cause } = this.#life;
    return cause instanceof CoxswainError && cause.code === 'SESSION_ENDED' ? undefined : cause;
  }

  /** The CLI's version, once it is known. */
  get version(): string | undefined {
    return this.#life.lastConnection?.capabilities.version;
  }

  /** The process id of the CLI, while it runs as a process of this session. */
  get pid(): number | undefined {
    return this.#life.pid;
  }

  /** The CLI's answer to `initialize`, unchanged; kept after the session ends. */
  get info(): Partial<InitializeAnswer> {
    return this.#life.lastConnection?.info ?? {};
  }

  /** Resolves when the session is ready; rejects if it could not be opened. */
  get ready(): Promise<InitializeAnswer> {
    return this.#life.ready as Promise<InitializeAnswer>;
  }

  /** The usage of the session so far, over all its CLIs. */
  get usage(): TurnUsage {
    return this.#turns.usage;
  }

  /**
   * The usage limits of the CLI's account, as reported last; undefined with an API key, on old CLIs, and before the first
   * report.
   */
  get planLimits(): PlanLimits | undefined {
    return this.#host.planLimits;
  }

  /** The usage of its turns, without what the conversation had used before. @internal */
  get turnsUsage(): TurnUsage {
    return this.#turns.turnsUsage;
  }

  /** Whether its CLI includes the earlier usage of the conversation in its counts. @internal */
  get countsEarlier(): boolean {
    return this.#turns.countsEarlier;
  }

  /** Whether nothing runs and nothing waits, as `settled()` waits for. @internal */
  get isSettled(): boolean {
    return this.#turns.isSettled;
  }

  /** The open prompts, which you can answer from anywhere in the program. */
  get prompts(): Prompts {
    return this.#host.prompts;
  }

  /** Turns that the CLI started: newer CLIs start one when background work ends. */
  get unasked(): AsyncIterable<Turn<Output>> {
    return this.#turns.unasked as AsyncIterable<Turn<Output>>;
  }

  /** Adds a listener; the returned function removes it. */
  on<Event extends keyof SessionEvents>(
    event: Event,
    listener: (value: SessionEvents[Event]) => void,
  ): () => void {
    return this.#host.listeners.on(event, listener);
  }

  /** Every message from now on, including those outside of turns. Has one reader; a slow reader makes the CLI wait. */
  messages(options?: MessagesOptions): AsyncIterable<CliMessage> {
    return this.#turns.messages(options);
  }

  /** Sends a user message. It is held until the session is ready and the CLI can accept it. */
  send(input: UserInput, options: SendOptions = {}): Turn<Output> {
    const { reopen } = this.#options;
    // A program may keep a closed session: only an explicit reopen() brings it back.
    if (this.#life.closed || (this.state === 'ended' && reopen !== 'auto')) throw this.#requests.endedError();
    const message = userMessage(input, options, this.#makeUuid);
    this.#usedIds.use(message.uuid);
    const turn = this.#turns.add(message.uuid, message, options.signal);
    const { content } = message.message as WireObject;
    this.#host.listeners.emit('turn', { turn, content });
    if (this.state === 'ended') void this.reopen().catch(() => {});
    // The session's schema has validated the output by then.
    return turn as Turn<Output>;
  }

  /** Stops the running turn; the session stays open. */
  interrupt({ cancelQueued = false, ...options }: InterruptOptions = {}): Promise<InterruptReceipt> {
    return this.oneCall('interrupt', options, async (inTime = {}) => {
      const { capabilities } = await this.#requests.connected(inTime);
      await untilBegun(this.#turns, this.#host.clock);
      const withdrawn = cancelQueued ? this.#turns.withdrawAll() : [];
      const interrupted = this.#turns.running.length > 0;
      this.#turns.noteInterrupt();
      const inCli = cancelQueued && capabilities.has('cancelsQueuedOnInterrupt');
      const params = inCli ? { cancel_queued: true } : {};
      const answer = await this.control('interrupt', params, inTime);
      return interruptReceipt(answer, { interrupted, withdrawn });
    });
  }

  /**
   * Sends any control request and resolves to its answer, `{}` for a plain ack. Waits until the session is ready;
   * rejects immediately if the session has ended.
   */
  control<Name extends RequestName>(
    subtype: Name,
    params?: RequestParams<Name>,
    options?: RequestOptions,
  ): Promise<RequestAnswer<Name>>;
  control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    return this.#requests.send(subtype, params, options);
  }

  /** Handles a kind of CLI request from now on, including after a reopen. The returned function removes the handler. */
  handle<Name extends CliRequestName>(name: Name, handler: CliRequestHandler<Name>): () => void {
    if (findCliRequest(name) === undefined) throw noSuchRequest(name);
    // The type is assumed from the catalog: the actual message is passed on unchanged.
    return this.#host.core.handlers.handle(name, handler as unknown as RequestHandler);
  }

  /** The same for requests that Coxswain does not know, from a newer CLI or from your own patch. */
  handleOther(subtype: string, handler: RequestHandler): () => void {
    return this.#host.core.handlers.handle(subtype, handler);
  }

  /** Resolves when nothing runs and nothing waits: no turn, no background work. */
  settled(options?: SettledOptions): Promise<void> {
    return this.#turns.settled(options);
  }

  /** Reopens an ended session: starts a new CLI that resumes the conversation, with the same hooks and callbacks. */
  reopen(): Promise<InitializeAnswer> {
    return this.#life.reopen() as Promise<InitializeAnswer>;
  }

  /** Ends the session. Resolves to how its process exited, when nothing is left running. May be called twice. */
  close(): Promise<ExitReport | undefined> {
    return this.#life.close();
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async facts(): Promise<CliFacts> {
    return this.#host.cliState.facts(await this.#requests.connected());
  }

  protected get oneCall(): OneCall {
    return oneCall(this.#host.clock);
  }
}
