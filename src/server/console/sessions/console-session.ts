import type {
  ClientName,
  ConsoleState,
  LogEvent,
  MarksParams,
  OpenedView,
  OpenParams,
  PromptAnswer,
  QueuedEvent,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import { type AnyPrompt, type CallPrompt, callPrompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import {
  type CliEnd,
  consoleStateOf,
  isAtRest,
  isOver,
  type OwnedState,
  ownedStateOf,
  whyNoCli,
} from '../../conversation/states.js';
import type { ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { AskedChange, ConversationUser } from '../../manager/conversations/conversation-user.js';
import type { ManagedConversation } from '../../manager/conversations/managed-conversation.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { EventLog } from '../log/event-log.js';
import { FoldedLog } from '../log/folded-log.js';
import { bypassRefused } from './beyond-asking.js';
import { CliMemory } from './cli-memory.js';
import type { ConsoleManager } from './console-manager.js';
import { type Answered, ConsolePrompts } from './console-prompts.js';
import { KnownMessages } from './known-messages.js';
import { beginOf, titleFrom } from './new-summary.js';
import { SessionLaunch } from './session-launch.js';
import { isShown, newsIn, newsOf, reportOf } from './session-news.js';
import { SessionProgram } from './session-program.js';
import { keepOff, type Setting } from './session-settings.js';

/** The dependencies of a {@link ConsoleSession}. */
export interface ConsoleSessionParts {
  readonly log: EventLog;
  readonly manager: ConsoleManager;
  /** What the server adds to the options of each CLI. */
  readonly base: (opened: OpenParams) => SessionOptions;
  readonly clock: Clock;
  readonly now: () => number;
  readonly graceMs?: number | undefined;
  /** Whether a CLI may be in bypassPermissions. */
  readonly allowBypass: boolean;
  /** The CLI's own folder. */
  readonly configDir: string;
  /** Reads the messages of a session's conversation; there may be none. */
  readonly readTranscript: (session: SessionSummary) => Promise<readonly WireObject[]>;
  /**
   * Resolves when the next owner of a session can read its events so far, with whether this server still has it. Without
   * it, nobody else can have it.
   */
  readonly whenStored?: ((session: string) => Promise<boolean>) | undefined;
  /** Something in the summary has changed. */
  readonly onChange: (session: ConsoleSession) => void;
  /** Resolves when the session's CLI may send more; undefined if it may now. */
  readonly pace?: ((session: string) => Promise<void> | undefined) | undefined;
}

/** How a message is sent. */
type SentOptions = ConversationSendOptions & { readonly uuid: string };

/** What a session keeps of its CLI. */
interface CurrentCli {
  readonly session: Session;
  readonly memory: CliMemory;
  /** Servers that were disabled before have been disabled in it too. */
  readonly switched: Promise<void>;
}

/** A session that the server owns: what a console adds to a conversation, its log, its program and its viewers. */
export class ConsoleSession implements ConversationUser {
  readonly program: SessionProgram;
  readonly prompts: ConsolePrompts;
  readonly #parts: ConsoleSessionParts;
  /** Its log, and what follows from it. */
  readonly #events: FoldedLog;
  readonly #known: KnownMessages;
  readonly #launch: SessionLaunch;
  /** Its conversation in the manager; undefined if it was never started here, or has ended. */
  #owner: ManagedConversation | undefined;
  #cli: CurrentCli | undefined;
  /** How its last CLI ended; undefined while there is one, and before the first. */
  #end: CliEnd | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is starting. */
  #coming: Deferred<void> | undefined;
  /** Resolves when nothing is left running; undefined unless it is being closed. */
  #closing: Promise<void> | undefined;
  #viewers = 0;

  /** Continues a session from what its events so far say; a new session has an empty view. */
  constructor(view: SessionSummary, opened: OpenParams, parts: ConsoleSessionParts) {
    this.#parts = parts;
    this.#events = new FoldedLog(parts.log, view, parts.now);
    this.prompts = new ConsolePrompts(this.#events, parts);
    this.#known = new KnownMessages(parts.log, () => parts.readTranscript(this.#events.view));
    this.program = new SessionProgram(parts.clock, parts.graceMs);
    this.#launch = new SessionLaunch(opened, { ...parts, events: this.#events, program: this.program });
    if (view.state === 'parked') this.standBy();
  }

  get id(): string {
    return this.#events.view.id;
  }

  get log(): EventLog {
    return this.#events.log;
  }

  get startedAt(): number {
    return this.#events.view.startedAt;
  }

  get opened(): OpenParams {
    return this.#launch.opened;
  }

  get state(): ConsoleState {
    return this.#events.view.state;
  }

  get viewers(): number {
    return this.#viewers;
  }

  /** Whether there is a CLI, or will be soon. */
  get isOpen(): boolean {
    return !isAtRest(this.#state);
  }

  /** Whether its CLI is ending, or has ended and what it had is not settled yet. */
  get isEnding(): boolean {
    return this.#closing !== undefined || this.#owner?.isEnding === true;
  }

  /** The session with its CLI, if that accepts requests. */
  get ready(): Session | undefined {
    const session = this.#cli?.session;
    return session?.state === 'ready' ? session : undefined;
  }

  /** The same. @throws CoxswainError `SESSION_ENDED` if there is none to ask. */
  get connected(): Session {
    const { ready } = this;
    if (ready !== undefined) return ready;
    throw new CoxswainError('SESSION_ENDED', `The session is ${whyNoCli(this.#state)}.`);
  }

  /** The id of the CLI's conversation, once known. */
  get conversation(): string | undefined {
    return this.#cli?.session.id ?? this.#events.view.conversation;
  }

  /** The CLI's process, if there is one. */
  get pid(): number | undefined {
    return this.isOpen ? this.#cli?.session.pid : undefined;
  }

  /** Its memory, if there is one. */
  get memory(): CliMemory | undefined {
    return this.#cli?.memory;
  }

  async latest(): Promise<SessionSummary> {
    return this.#events.view;
  }

  get summary(): SessionSummary {
    const { view } = this.#events;
    return {
      ...view,
      owner: { ...view.owner, away: this.program.away },
      viewers: this.#viewers,
      memory: this.pid === undefined ? undefined : this.memory?.view,
      last: this.log.last,
    };
  }

  /** What it has accepted and not settled, in order. */
  get accepted(): readonly QueuedEvent[] {
    return this.#owner?.accepted ?? [];
  }

  /** Starts a CLI and resolves when it is ready. Errors also appear in the events. */
  async start(opened: OpenParams, ownerClient?: string): Promise<OpenedView> {
    if (this.isOpen) throw new CoxswainError('COMMAND_INVALID', 'The session has not ended.');
    // A failed one may have left prompts or a schedule, too.
    const goesOn = this.#state === 'parked' || this.#mayContinue;
    this.#end = undefined;
    this.#launch.open(opened);
    this.program.start(opened, ownerClient);
    const { cwd, model, permissionMode } = opened;
    this.#events.add({ kind: 'opened', cwd, by: this.program.kind, model, permissionMode });
    try {
      this.#launch.noteStart();
      void this.#launch.readSettings().then((isNew) => isNew && this.#update());
      const session = await this.#wake(goesOn);
      await this.#cli?.switched;
      return this.view(session);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** What an open session has: its CLI once that is ready, or none. With `wakes`, messages that wait for a CLI get one. */
  async join(wakes: boolean): Promise<OpenedView> {
    await this.untilSendable();
    const session = this.#cli?.session;
    if (session !== undefined && session.state !== 'ending' && session.state !== 'ended') {
      await session.ready;
      return this.view(session);
    }
    // If it does not start, nobody else says so.
    if (wakes && this.#state === 'queued')
      return this.view(await this.#wake(true).finally(() => this.#update()));
    return { session: this.id, cliVersion: this.#events.view.cliVersion, info: {} };
  }

  /** Resolves when its CLI is ready, once there is a slot for it; it gets the same messages as before if `goesOn`. */
  async #wake(goesOn: boolean): Promise<Session> {
    const coming = deferred<void>();
    // Whoever starts it learns why it did not.
    coming.promise.catch(() => {});
    this.#coming = coming;
    this.#update();
    try {
      if (!goesOn) await this.drop();
      const owner = this.begun();
      if (owner.state === 'failed') owner.retry();
      return await owner.wake();
    } catch (error) {
      const isClosed = errorCode(error) === 'MANAGER_CLOSED';
      const cause = isClosed ? new CoxswainError('SESSION_ENDED', CLOSED_BEFORE) : error;
      coming.reject(cause);
      this.#coming = undefined;
      throw cause;
    }
  }

  /** Whether its conversation was started here, and has not ended. */
  get isBegun(): boolean {
    return this.#owner !== undefined;
  }

  /** Its conversation, although it may have no CLI. */
  begun(): ManagedConversation {
    this.#owner ??= this.#parts.manager.begin(this.id, this, beginOf(this.#events.view, this.opened));
    return this.#owner;
  }

  /** Continues with what an earlier server left: waiting prompts and messages. Returns which. */
  adopt(opened: OpenParams): readonly string[] {
    const { manager } = this.#parts;
    const adopted = manager.waiting(this.id);
    this.#owner = manager.adopt(this.id, this);
    if (this.#owner === undefined) return [];
    this.#launch.open(opened);
    const { scheduled } = this.#owner;
    // A time may have come while there was no server.
    if (scheduled?.nextAt !== this.#events.view.schedule?.nextAt)
      this.#events.add({ kind: 'schedule', schedule: scheduled ?? null });
    // This server may allow less than the previous one.
    if (opened.permissionMode !== this.#events.view.permissionMode) this.#launch.resetMode();
    for (const prompt of this.keptPrompts) this.prompts.show(prompt);
    return adopted;
  }

  /** Its CLI is gone with an earlier server: the next message starts one. */
  standBy(): void {
    this.#end = { why: 'parked', error: undefined };
  }

  /** Records what did not survive an earlier server, and why it ended if it did. */
  interrupted(events: readonly LogEvent[], error: string | undefined): void {
    for (const event of events) this.#events.add(event);
    this.#record(error);
  }

  /** Facts about the current CLI. */
  view({ info, version }: Session): OpenedView {
    return { session: this.id, cliVersion: version, info };
  }

  /** If its CLI is ending, resolves when nothing is left of it. */
  async untilGone(): Promise<void> {
    await this.#closing;
    await this.#owner?.untilGone();
  }

  /** If a CLI is starting, resolves when messages can be sent. */
  async untilSendable(): Promise<void> {
    await this.#coming?.promise;
  }

  /** Sends a user message; it is held until it may start. @throws CoxswainError `SESSION_ENDED`. */
  send(input: UserInput, options: SentOptions, by: ClientName): void {
    if (this.#owner === undefined || isOver(this.#state))
      throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    // A program that handles crashes and limits itself gets them as errors.
    const isPage = this.program.client === undefined;
    const chosen: SentOptions = isPage ? options : { ...options, resend: false, onLimit: 'fail' };
    this.#owner.send(input, { whileBusy: 'join', ...chosen }, by);
  }

  /** Cancels a message that has not started; returns whether that worked. */
  async takeBack(uuid: string): Promise<boolean> {
    return (await this.#owner?.takeBack(uuid)) ?? false;
  }

  /**
   * Whether a message is already here. A CLI would ignore the second one, and nothing would settle it: if the first one
   * is over, clients learn again how it ended.
   */
  async repeats(uuid: string): Promise<boolean> {
    if (this.#owner?.has(uuid) === true) return true;
    const outcome = await this.#known.outcomeOf(uuid);
    if (outcome !== undefined) this.#events.add({ kind: 'settled', uuid, outcome });
    return outcome !== undefined;
  }

  /** Answers a prompt; only the first answer counts, and the others learn whose it was. */
  async answer(id: string, answer: PromptAnswer, by: ClientName): Promise<Answered> {
    const given = this.prompts.answer(this.#findPrompt(id), { id, answer }, by);
    const isForLater =
      answer.answer === 'allow' && (answer.permissions !== undefined || (answer.remember?.length ?? 0) > 0);
    if (given.accepted && isForLater) this.noteAllowed('rules that a prompt was answered with');
    return given;
  }

  /** The program that opened the session answers a request that only it can answer. */
  reply(request: string, answer: { ok: boolean; value?: unknown; error?: string }): boolean {
    return this.program.requests?.reply(request, answer) ?? false;
  }

  /** The program that opened the session was lost, or is back. */
  ownerChanged(connected: boolean): void {
    this.program.changed(connected);
    this.#update();
  }

  viewersChanged(by: 1 | -1): void {
    this.#viewers += by;
    this.#useCli();
    this.#parts.onChange(this);
  }

  setBudget(usd: number | undefined): void {
    this.#owner?.setBudget(usd);
    this.#tell({ kind: 'budget', maxBudgetUsd: usd ?? null });
  }

  rename(title: string): void {
    this.#tell({ kind: 'title', title });
  }

  setMarks({ pinned, archived, tags }: MarksParams): void {
    this.#tell({ kind: 'marks', pinned, archived, tags: tags && [...new Set(tags)] });
  }

  /**
   * Records what a control request has set: settings that no message reports, and that the next CLI starts
   * with.
   */
  noteSetting(setting: Setting): void {
    if (this.#launch.note(setting)) this.#update();
  }

  /** Records that a client has allowed this CLI to do more than ask. */
  noteAllowed(words: string | undefined): void {
    if (this.#launch.noteAllowed(words)) this.#update();
  }

  /** Sends a notice to clients. */
  note(level: 'info' | 'warning' | 'error', code: string, text: string): void {
    this.#events.add({ kind: 'note', level, code, text });
  }

  /** Ends the CLI as soon as nothing runs; the next message starts another one. */
  async park(): Promise<void> {
    await this.#owner?.park();
  }

  /** Ends the CLI, even if it is still starting; resolves when nothing is left running. The session stays listed. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#record();
    if (this.#events.view.schedule !== undefined) this.#events.add({ kind: 'schedule', schedule: null });
    try {
      await this.drop();
    } finally {
      this.#closing = undefined;
      this.ended(CLOSED);
    }
  }

  /** Ends its conversation, even if that is waiting for a slot, and drops what is waiting. */
  async drop(): Promise<void> {
    if (this.#owner === undefined) return;
    this.#owner = undefined;
    await this.#parts.manager.end(this.id);
  }

  /** Ends everything; a parked session stays parked, and what waits for a person or a limit keeps waiting. */
  async dispose(): Promise<void> {
    if (this.#parts.manager.isClosed) this.#leave();
    this.program.requests?.close();
    await this.log.close();
  }

  /** The server stops: what waits is left for the next one, unless it needs a program. */
  #leave(): void {
    const isWaiting = this.accepted.length > 0 || this.#mayContinue;
    if (!this.mayWait || !isWaiting) {
      this.#owner = undefined;
      this.#parts.manager.forget(this.id);
    }
    this.ended(this.#end ?? CLOSED);
  }

  launch(resumes: boolean): LaunchOptions {
    return this.#launch.options(resumes);
  }

  /** A CLI was started. The usage so far is its starting point. */
  attached(session: Session): void {
    const { asked, opened } = this.#launch;
    this.#events.add({ kind: 'cli', conversation: session.id, sandbox: asked.spawner?.name ?? null });
    this.#listen(session);
    // What an earlier server left, if only this CLI could continue with it.
    this.#keepPrompts();
    const note = (problem: string) => this.note('warning', 'MCP_SERVER_FAILED', problem);
    this.#cli = {
      session,
      memory: new CliMemory(),
      switched: keepOff(session, opened.disabledServers, note),
    };
    this.#end = undefined;
    this.#coming?.resolve();
    this.#coming = undefined;
    this.#update();
  }

  /** What its conversation has decided; notes change nothing. */
  append(event: LogEvent): void {
    if (event.kind === 'queued' && this.#events.view.title === '') this.#nameAfter(event.content);
    this.#events.add(event);
    this.#known.note(event);
    if (event.kind !== 'note') this.#update();
  }

  #nameAfter(content: string | readonly WireObject[]): void {
    const title = titleFrom(content);
    if (title !== undefined) this.#events.add({ kind: 'title', title });
  }

  prompted({ prompt, state }: AskedChange): void {
    if (state === 'open') this.prompts.show(prompt);
    else this.prompts.settle(prompt.id, state);
    this.#update();
  }

  changed(): void {
    this.#update();
  }

  /** Nothing is left of its CLI: what that had is settled, or waits for the next one. */
  ended(end: CliEnd): void {
    if (this.#closing !== undefined) return;
    this.#end = end;
    this.#cli = undefined;
    this.#launch.forget();
    this.#keepPrompts();
    this.#update();
  }

  get whenStored(): ConversationUser['whenStored'] {
    const { whenStored } = this.#parts;
    return whenStored && (() => whenStored(this.id));
  }

  get pace(): ConversationUser['pace'] {
    const { pace } = this.#parts;
    return pace && (() => pace(this.id));
  }

  /** Waiting messages may continue without the program that opened the session. */
  get mayWait(): boolean {
    return this.program.client === undefined;
  }

  /** The open prompt with an id, also one whose CLI is gone. */
  #findPrompt(id: string): AnyPrompt | BudgetPrompt | undefined {
    const budget = this.#owner?.budgetPrompt;
    if (budget?.id === id) return budget;
    return this.#cli?.session.prompts.find(id) ?? this.keptPrompts.find((prompt) => prompt.id === id);
  }

  /** Requests from CLIs that are gone. */
  get keptPrompts(): readonly CallPrompt[] {
    return this.#owner === undefined || !this.mayWait ? [] : callPrompts(this.#owner.prompts);
  }

  /** Whether an answer or a time starts its next CLI. */
  get #mayContinue(): boolean {
    return this.keptPrompts.length > 0 || this.#owner?.scheduled !== undefined;
  }

  /** Without their CLI, only kept prompts can be answered; budgets need none. */
  #keepPrompts(): void {
    this.prompts.keepOnly(this.keptPrompts, this.#owner?.budgetPrompt);
  }

  #listen(session: Session): void {
    session.on('message', (message) => {
      if (!isShown(message)) return;
      for (const event of newsIn(this.#events.view, message)) this.#events.add(event);
      this.#checkMode();
      this.#update();
    });
    session.on('diagnostic', ({ code, message }) => this.note('warning', code, message));
  }

  /** End a CLI that does not ask although it must, whatever the reason. */
  #checkMode(): void {
    if (this.#parts.allowBypass || this.#events.view.permissionMode !== 'bypassPermissions') return;
    this.#fail(bypassRefused());
    this.#launch.resetMode();
    void this.close();
  }

  #fail(error: unknown): void {
    const code = error instanceof CoxswainError ? error.code : 'CLI_ENDED';
    this.note('error', code, errorText(error));
    this.#update(errorText(error));
  }

  #tell(event: LogEvent): void {
    this.#events.add(event);
    this.#update();
  }

  #update(error?: string): void {
    this.#record(error);
    this.#useCli();
    this.#parts.onChange(this);
  }

  /** Adds the events that say what has changed; `error` says what went wrong. */
  #record(error?: string): void {
    const { view } = this.#events;
    const state = this.#closing === undefined ? this.#shownState : view.state;
    const reported = reportOf(view, {
      state,
      error: error ?? (state === 'ended' ? this.#end?.error?.message : undefined),
      owner: this.#owner,
      cli: this.#cli?.session,
    });
    for (const event of newsOf(view, reported)) this.#events.add(event);
    if (state === 'ended' && view.state !== 'ended') this.program.requests?.close();
  }

  /** Its state for those who start and end CLIs. */
  get #state(): OwnedState {
    if (this.#closing !== undefined) return 'running';
    return ownedStateOf(this.#owner?.state ?? 'parked', {
      isComing: this.#coming !== undefined,
      ahead: this.#owner?.ahead,
      hasMessages: this.accepted.length > 0,
      mayContinue: () => this.#end?.why === 'parked' || this.#mayContinue,
    });
  }

  get #shownState(): ConsoleState {
    const asks = this.prompts.open.length > 0;
    return consoleStateOf(this.#state, { asks, isBusy: this.#owner?.isBusy === true });
  }

  /** A CLI is not parked while it is working, has viewers or serves a program. */
  #useCli(): void {
    const isAtWork = this.state !== 'idle' && this.#owner?.budgetPrompt?.isOpen !== true;
    const isUsed = isAtWork || this.#viewers > 0 || this.program.client !== undefined;
    const state = this.#coming === undefined ? this.#state : 'queued';
    this.#owner?.use(isUsed && (state === 'starting' || state === 'running'));
  }
}

const CLOSED: CliEnd = { why: 'closed', error: undefined };
const CLOSED_BEFORE = 'The session was closed before it had a CLI.';
