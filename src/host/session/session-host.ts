import { type ControlPeer, DEFAULT_DEADLINE_MS, type RequestOptions } from '../../wire/peer/control-peer.js';
import type { RequestWatcher } from '../../wire/peer/received-requests.js';
import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import { isObject, type RequestBody, type WireObject } from '../../wire/protocol/frames.js';
import { readRetry } from '../../wire/protocol/reading/api-retry.js';
import { type PlanLimits, planLimitsAfter } from '../../wire/protocol/reading/plan-limits.js';
import { type Clock, systemClock, within } from '../../wire/util/clock.js';
import { callbackFailed, type Diagnostic } from '../../wire/util/diagnostics.js';
import { errorText } from '../../wire/util/error-text.js';
import { AbortedError, CoxswainError } from '../../wire/util/errors.js';
import { Listeners } from '../../wire/util/listeners.js';
import type { Capabilities } from '../cli/capabilities.js';
import { dependsOnCli } from '../cli/initialize-fields.js';
import type { Connection } from '../core/connection/connection.js';
import type { LaunchedCli } from '../core/connection/launch.js';
import type { SessionState } from '../core/connection/state.js';
import { DEFAULT_LIMITS, HostCore } from '../core/host-core.js';
import type { Gone, HostRole } from '../core/host-role.js';
import { type Pace, Pacing } from '../core/messages/pacing.js';
import type { ToolSession } from '../mcp/link-transport.js';
import type { OtherRequestHandlers } from './cli-request-handler.js';
import { CliState } from './endpoints/cli-state.js';
import { parentRefusal } from './endpoints/parent-uuid.js';
import { type Asking, askingWhenDenied } from './hooks/ask-when-denied.js';
import type { Hooks } from './hooks/hook-types.js';
import { type RegisteredHooks, registerHooks } from './hooks/hooks.js';
import { initializeBody } from './opening/initialize.js';
import { missingLogin } from './opening/missing-login.js';
import { checkReachable, hiddenRequests } from './opening/reachability.js';
import {
  firstConversation,
  handshakeDeadline,
  launcherFor,
  type OwnLaunch,
} from './opening/session-launch.js';
import { followDenials } from './prompts/denials.js';
import { OpenPrompts, type PromptChange } from './prompts/open-prompts.js';
import { McpReadiness } from './servers/server-readiness.js';
import { SessionServers } from './servers/session-servers.js';
import type { SessionEvents } from './session-events.js';
import type { SessionOptions } from './session-options.js';
import type { TurnOutcome } from './turns/outcome.js';
import { authOutcome } from './turns/outcome.js';
import { type ReadOutputSchema, readOutputSchema } from './turns/requested-output.js';
import { SessionTurns, type TurnOwner } from './turns/session-turns.js';
import { loadOutputCheck } from './turns/structured-output.js';
import { type SessionTurn, STOP_MS, type Turn } from './turns/turn.js';
import { overBudget, type TurnUsage } from './turns/usage.js';
import { DIAGNOSTIC_LISTENERS, UnheardFailures } from './unheard-failures.js';

/** How long a busy CLI may take to exit on its own when the session is closed. */
const CLOSE_BUSY_MS = 800;

/** Injected dependencies of a session; tests replace them. */
export interface SessionDeps {
  readonly launch?: OwnLaunch;
  readonly clock?: Clock;
  readonly makeUuid?: () => string;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
  /** What the conversation had used before this session. */
  readonly usedBefore?: TurnUsage;
  /** Whether anybody iterates turns; otherwise they keep no messages. Default: true. */
  readonly readsTurns?: boolean;
  /** Asked after each whole message: while it is pending, the CLI has to wait. */
  readonly pace?: Pace | undefined;
}

/** The internal side of a session: its parts, and how they react to the CLI. */
export class SessionHost implements HostRole, TurnOwner, RequestWatcher {
  readonly core: HostCore;
  readonly turns: SessionTurns;
  readonly prompts: OpenPrompts;
  readonly listeners = new Listeners<SessionEvents>((name, error) => this.#callbackFailed(name, error));
  readonly clock: Clock;
  readonly cliState: CliState;
  readonly watcher = this;
  readonly needsVersion: boolean;
  /** The usage limits of the CLI's account, as reported last. */
  planLimits: PlanLimits | undefined;
  readonly #now: () => number;
  readonly #options: SessionOptions;
  readonly #servers: SessionServers;
  #hooks: RegisteredHooks;
  readonly #output: ReadOutputSchema | undefined;
  readonly #readiness = new McpReadiness();
  readonly #unheard = new UnheardFailures();
  readonly #pacing: Pacing | undefined;

  constructor(
    options: SessionOptions,
    session: ToolSession,
    {
      launch,
      clock = systemClock,
      now = Date.now,
      ...deps
    }: SessionDeps & { readonly makeUuid: () => string },
  ) {
    const { makeUuid, usedBefore, readsTurns = true, pace } = deps;
    this.#options = options;
    this.clock = clock;
    this.#now = now;
    this.needsVersion = dependsOnCli(options) || options.askWhenDenied === true;
    this.#output = options.outputSchema && readOutputSchema(options.outputSchema);
    const onDiagnostic = (diagnostic: Diagnostic) => this.diagnostic(diagnostic);
    this.#servers = new SessionServers(options, { session, clock, onDiagnostic });
    const { messages, characters, hardCharacters } = DEFAULT_LIMITS;
    const { buffer = {}, deadlineMs = DEFAULT_DEADLINE_MS, onMissing = 'fail', signal } = options;
    this.core = new HostCore(this, {
      // Diagnostics of the process and the recording go the same way as all others.
      launch: launcherFor({ ...options, onDiagnostic }, () => this.#servers.list.launched, launch),
      conversation: { ...firstConversation(options, makeUuid), onMissing, makeUuid },
      handshakeMs: handshakeDeadline(options),
      deadlineMs,
      limits: {
        messages: buffer.messages ?? messages,
        characters: buffer.characters ?? characters,
        hardCharacters: buffer.hardCharacters ?? hardCharacters,
      },
      clock,
      signal,
    });
    this.#pacing = pace && new Pacing(this.core.flow, pace);
    this.cliState = new CliState({
      launched: Object.keys(options.mcpServers ?? {}),
      clock,
      servers: this.#servers,
      messages: this.core.messages,
    });
    this.turns = new SessionTurns(this.core, this, {
      clock,
      stallMs: options.stallMs ?? Number.POSITIVE_INFINITY,
      partial: options.partialMessages === true,
      usedBefore,
      readsTurns,
    });
    this.prompts = new OpenPrompts({
      callbacks: options,
      manual: options.prompts === 'manual',
      timeouts: options.promptTimeoutsMs ?? {},
      clock,
      onChange: (change) => this.#promptChanged(change),
      onFailure: (callback, error) => this.#callbackFailed(callback, error),
    });
    followDenials(this.core.messages, (denial) => this.listeners.emit('denial', denial));
    this.#hooks = this.#register(options.hooks);
    const { can_use_tool: ask, ...otherPrompts } = this.prompts.handlers;
    const own = { ...(options.handlers as OtherRequestHandlers | undefined), ...options.otherHandlers };
    this.core.handlers.handleAll({
      ...otherPrompts,
      can_use_tool: async (body, context) => this.#afterHooks(body, await ask?.(body, context)),
      hook_callback: (body, context) => this.#hooks.handler(body, context),
      ...own,
      mcp_message: this.#servers.handlerBeside(own.mcp_message),
    });
  }

  get serversPending(): readonly string[] {
    return this.#readiness.pending;
  }

  stateChanged(state: SessionState): void {
    if (state === 'handshaking') this.turns.launched();
    this.listeners.emit('state', state);
  }

  diagnostic(diagnostic: Diagnostic): void {
    if (this.#options.onDiagnostic !== null && !this.listeners.has('diagnostic'))
      this.#unheard.tell(diagnostic);
    this.listeners.emit('diagnostic', diagnostic);
  }

  async prepare(): Promise<void> {
    if (this.#output !== undefined) this.turns.expectOutput(await loadOutputCheck(this.#output));
  }

  started(peer: ControlPeer): void {
    this.prompts.forgetAnswers();
    this.#readiness.restart(Object.keys(this.#options.mcpServers ?? {}));
    this.cliState.reset();
    this.turns.started();
    this.#servers.attach((...request) => this.core.requests.sendTo(peer, ...request));
  }

  initialize(capabilities: Capabilities, { inFlags }: LaunchedCli): RequestBody {
    const { hooks, askWhenDenied = false } = this.#options;
    // A CLI that does not ask would call the others for nothing.
    const isAsked = capabilities.version === undefined || capabilities.has('asksAboutDenials');
    this.#hooks = this.#register(askWhenDenied && isAsked ? askingWhenDenied(hooks, this.#asking) : hooks);
    const parts = {
      inFlags,
      hooks: this.#hooks.wire,
      jsonSchema: this.#output?.jsonSchema,
      sdkMcpServers: this.#servers.inProcessNames,
    };
    return initializeBody(this.#options, parts, capabilities);
  }

  check(capabilities: Capabilities): void {
    checkReachable(this.#options, capabilities);
  }

  async settleIn({ capabilities }: Connection, cli: LaunchedCli): Promise<void> {
    for (const diagnostic of cli.told ?? []) this.diagnostic(diagnostic);
    await this.cliState.giveServers(cli, (isOff) => this.#servers.prepare(capabilities, cli, isOff));
  }

  connected({ capabilities, info }: Connection): void {
    const told = [
      ...hiddenRequests(this.#options, capabilities, info),
      ...missingLogin(this.#options, capabilities, info),
    ];
    for (const diagnostic of told) this.diagnostic(diagnostic);
    this.turns.connected(capabilities.has('reportsLifecycle'));
  }

  receive(message: WireObject, length: number, kind: string): void {
    this.turns.receive(message, length, kind);
    // The type is assumed from the catalog, as everywhere where messages reach a program.
    if (kind !== 'stream_event' || this.#options.partialMessages === true)
      this.listeners.emit('message', message as CliMessage);
    if (kind !== 'stream_event') this.#pacing?.received();
  }

  requestOpened(body: RequestBody): void {
    this.#readiness.note(body);
    this.turns.cliRequestOpened();
  }

  requestClosed(): void {
    this.turns.cliRequestClosed();
  }

  answered(subtype: string, params: WireObject): void {
    this.cliState.noteAnswered(subtype, params);
  }

  gone(cause: Error, { asked, aborted, opened }: Gone): void {
    this.#servers.detach();
    this.cliState.reset();
    // A failed reopen must not be retried automatically: that could go on forever.
    const keepHeld = !asked && opened && this.#options.reopen === 'auto';
    // A session that was closing when its signal was aborted counts as closed.
    const closed =
      cause instanceof AbortedError
        ? ({ kind: 'aborted', cause: cause.cause } as const)
        : ({ kind: 'closed' } as const);
    const outcome = asked ? closed : ({ kind: 'cli-ended', error: cause } as const);
    this.turns.gone(outcome, { keepHeld, discard: aborted });
    if (keepHeld && this.turns.busy) void this.core.life.reopen().catch(() => {});
  }

  sendTurn(turn: SessionTurn): void {
    const { connection } = this.core.life;
    const { userMessage: message } = turn;
    if (connection === undefined || message === undefined) return;
    const refusal = parentRefusal(message, connection);
    if (refusal !== undefined) {
      this.turns.fail(turn, { kind: 'error', message: refusal });
      return;
    }
    connection.peer.send(message).catch((error: unknown) => {
      // The peer reports a broken pipe only if the end of the CLI does not explain it.
      if (error instanceof CoxswainError && error.code === 'TRANSPORT_CLOSED') return;
      this.turns.fail(turn, { kind: 'error', message: errorText(error) });
    });
  }

  refuseTurn(): TurnOutcome | undefined {
    return overBudget(this.#options.maxBudgetUsd, this.turns.usage);
  }

  async cancelTurn(turn: SessionTurn, options: RequestOptions = {}): Promise<boolean> {
    if (this.turns.withdraw(turn)) return true;
    const { userMessageId, receipt } = turn;
    const canCancel = this.core.life.connection?.capabilities.fateOf('cancel_async_message') === 'served';
    if (userMessageId === undefined || receipt !== 'queued' || !canCancel) return false;
    const params = { message_uuid: userMessageId };
    const answer = await this.core.requests.send('cancel_async_message', params, options);
    return answer.cancelled === true;
  }

  /** A CLI that does not react cannot keep the turn open, whether it has begun or not: the wait ends here. */
  async stopTurn(turn: SessionTurn): Promise<void> {
    if (!(await within(Promise.all([this.#askToStop(turn), turn.outcome]), STOP_MS, this.clock)))
      turn.settle({ kind: 'interrupted' });
  }

  async #askToStop(turn: SessionTurn): Promise<void> {
    if (await this.cancelTurn(turn, { deadlineMs: STOP_MS }).catch(() => false)) return;
    const receipt = await turn.began;
    // Nothing of it runs; if the CLI begins it later, it is interrupted then.
    if (receipt === 'settled' || receipt === 'cancelled') return;
    this.turns.noteInterrupt();
    await this.core.requests.send('interrupt', {}, { deadlineMs: STOP_MS }).catch(() => {});
  }

  stoppedTurnBegan(): void {
    this.core.requests.send('interrupt', {}).catch(() => {});
  }

  callRetried(message: WireObject): void {
    const retry = readRetry(message);
    this.listeners.emit('retry', retry);
    const outcome = this.#options.stopOnAuthFailure === true ? authOutcome(retry) : undefined;
    // The CLI reads the login again before it tries again.
    if (outcome === undefined || this.core.life.renewsLogin) return;
    for (const turn of this.turns.running) void turn.stopAs(outcome);
  }

  limitsReported(message: WireObject): void {
    const limits = planLimitsAfter(this.planLimits, message, this.#now());
    if (limits === undefined) return;
    this.planLimits = limits;
    this.listeners.emit('limits', limits);
  }

  /** Running turns are interrupted, so that nobody waits for the model's answer. */
  closing(): number | undefined {
    const { connection } = this.core.life;
    if (connection === undefined || !this.turns.busy) return undefined;
    for (const turn of this.turns.running) turn.willEndAs({ kind: 'closed' });
    connection.peer.request({ subtype: 'interrupt' }).catch(() => {});
    return CLOSE_BUSY_MS;
  }

  textWanted(): void {
    if (this.#options.partialMessages !== false) return;
    const message =
      'textDeltas() yields whole blocks only: the session was opened with "partialMessages: false", so the CLI sends no pieces.';
    this.diagnostic({ code: 'NO_PARTIAL_MESSAGES', message });
  }

  unaskedTurn(turn: Turn): void {
    this.listeners.emit('turn', { turn, content: undefined });
    this.listeners.emit('unasked', turn);
  }

  /** If an interrupt does not help, the session ends: messages after a dead turn would wait forever. */
  turnsStalled(turns: readonly SessionTurn[], quietMs: number): void {
    const again = turns.every(({ receipt }) => receipt === 'settled');
    for (const turn of turns) turn.settle({ kind: 'stalled', quietMs });
    const message = `The CLI sent nothing for ${Math.round(quietMs)} ms, and an interrupt did not help.`;
    const giveUp = () => this.core.life.abandon(new CoxswainError('SESSION_STALLED', message));
    if (again) giveUp();
    else this.core.requests.send('interrupt', {}, { deadlineMs: this.#options.stallMs }).catch(giveUp);
  }

  get #asking(): Asking {
    const interrupt = () => void this.core.requests.send('interrupt', {}).catch(() => {});
    return { prompts: this.prompts, interrupt };
  }

  #register(hooks: Hooks | undefined): RegisteredHooks {
    return registerHooks(hooks, this.clock, (name, error) => this.#callbackFailed(name, error));
  }

  /** An allow waits for hooks that may deny the same call, because some CLIs use the first answer. */
  async #afterHooks(body: RequestBody, answer: unknown): Promise<unknown> {
    const { capabilities } = this.core.life.connection ?? {};
    const asksHooks = capabilities?.version === undefined || capabilities.callsHook('PermissionRequest');
    if (!isObject(answer) || answer.behavior !== 'allow' || !asksHooks) return answer;
    const message = await this.#hooks.decisions.denial(body);
    return message === undefined ? answer : { behavior: 'deny', message, toolUseID: body.tool_use_id };
  }

  #callbackFailed(name: string, error: unknown): void {
    const diagnostic = callbackFailed(name, error);
    // If a failure listener itself fails, that is not reported again.
    if (DIAGNOSTIC_LISTENERS.has(name)) this.#unheard.tell(diagnostic);
    else this.diagnostic(diagnostic);
  }

  #promptChanged(change: PromptChange): void {
    const { prompt } = change;
    // Old CLIs report such a turn like any failed one.
    if (prompt.kind === 'permission' && prompt.interrupts) this.turns.noteInterrupt();
    this.listeners.emit('prompt', change);
  }
}
