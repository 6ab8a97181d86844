import type {
  ClientName,
  ConsoleState,
  LogEvent,
  MarksParams,
  OpenedView,
  OpenParams,
  PromptAnswer,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { LoginLimits } from '../../../wire/protocol/reading/plan-limits.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { consoleStateOf } from '../../conversation/states.js';
import type { ToldAnswer } from '../../manager/conversations/conversation-user.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { EventLog } from '../log/event-log.js';
import { FoldedLog } from '../log/folded-log.js';
import { beyondAsking, bypassRefused } from './beyond-asking.js';
import { CliMemory } from './cli-memory.js';
import type { ConsoleManager } from './console-manager.js';
import { type Answered, ConsolePrompts } from './console-prompts.js';
import { beginOf } from './new-summary.js';
import { type Pace, readAlong } from './read-along.js';
import { contentOf, SentMessages, titleFrom } from './sent-messages.js';
import { type SentOptions, SessionCli } from './session-cli.js';
import { newsIn, newsOf } from './session-news.js';
import { launchOptions } from './session-options.js';
import { SessionProgram } from './session-program.js';
import { keepOff, type Setting, thinkingCapOf } from './session-settings.js';
import { settingsMode } from './settings-mode.js';

/** Who sends the messages that tell the model about answers. */
const ITSELF: ClientName = { client: 'server', name: 'Coxswain' };

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
  /** Something in the summary has changed. */
  readonly onChange: (session: ConsoleSession) => void;
  readonly pace?: Pace | undefined;
}

/** Messages that change what is shown of a session. */
const SHOWN: ReadonlySet<unknown> = new Set(['system', 'assistant', 'result']);

/** A session that the server owns: its CLI, its events, its open prompts, and a summary of everything. */
export class ConsoleSession {
  readonly id: string;
  readonly cli: SessionCli;
  readonly program: SessionProgram;
  readonly prompts: ConsolePrompts;
  readonly #parts: ConsoleSessionParts;
  /** Its log, and what follows from it. */
  readonly #events: FoldedLog;
  /** Its unfinished messages. */
  readonly messages: SentMessages;
  #opened: OpenParams;
  #viewers = 0;
  #memory = new CliMemory();
  /** What the next CLI runs in. */
  #sandbox: string | undefined;
  /** Servers that were disabled before have been disabled in the current CLI too. */
  #switched: Promise<void> = Promise.resolve();

  /** Continues a session from what its events so far say; a new session has an empty view. */
  constructor(view: SessionSummary, opened: OpenParams, parts: ConsoleSessionParts) {
    this.id = view.id;
    this.#parts = parts;
    this.#events = new FoldedLog(parts.log, view, parts.now);
    this.prompts = new ConsolePrompts({ ...parts, events: this.#events });
    this.messages = new SentMessages({
      events: this.#events,
      onChange: () => this.#update(),
      isLeft: (uuid) => this.cli.isLeft(uuid),
      readTranscript: () => parts.readTranscript(this.#events.view),
    });
    this.program = new SessionProgram(parts.clock, parts.graceMs);
    const owner = {
      id: view.id,
      begins: () => beginOf(this.#events.view, this.#opened),
      mode: () => this.#mode,
      launch: () => this.#launch(),
      attached: (session: Session) => this.#attached(session),
      changed: () => this.#update(),
      lost: () => this.prompts.lost(this.cli.keptPrompts),
      note: (code: string, text: string) => this.note('info', code, text),
      asksForMoney: (prompt: BudgetPrompt) => void this.prompts.budget(prompt, () => this.#update()),
      limited: (limits: LoginLimits) => this.#limited(limits),
      told: ({ turn, text }: ToldAnswer) =>
        this.messages.add(turn, text, { options: { uuid: String(turn.userMessageId) }, by: ITSELF }),
      mayWait: () => this.program.client === undefined,
    };
    this.cli = new SessionCli(owner, parts.manager, view.state === 'parked');
    this.#opened = opened;
  }

  get log(): EventLog {
    return this.#events.log;
  }

  get startedAt(): number {
    return this.#events.view.startedAt;
  }

  get opened(): OpenParams {
    return this.#opened;
  }

  get state(): ConsoleState {
    return this.#events.view.state;
  }

  get viewers(): number {
    return this.#viewers;
  }

  /** The id of the CLI's conversation, once known. */
  get conversation(): string | undefined {
    return this.cli.session?.id ?? this.#events.view.conversation;
  }

  /** The CLI's process, if there is one. */
  get pid(): number | undefined {
    return this.cli.isOpen ? this.cli.session?.pid : undefined;
  }

  /** Its memory. */
  get memory(): CliMemory {
    return this.#memory;
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
      memory: this.pid === undefined ? undefined : this.#memory.view,
      last: this.log.last,
    };
  }

  /** Starts a CLI and resolves when it is ready. Errors also appear in the events. */
  async start(opened: OpenParams, ownerClient?: string): Promise<OpenedView> {
    if (this.cli.isOpen) throw new CoxswainError('COMMAND_INVALID', 'The session has not ended.');
    const goesOn = this.cli.forget();
    const { disabledServers = this.#opened.disabledServers } = opened;
    this.#opened = { ...opened, disabledServers };
    this.program.start(opened, ownerClient);
    const { cwd, model, permissionMode } = opened;
    this.#events.add({ kind: 'opened', cwd, by: this.program.kind, model, permissionMode });
    try {
      const options = this.cli.asked;
      this.#events.add({
        kind: 'settings',
        permissionMode: options.permissionMode ?? permissionMode ?? null,
        maxThinkingTokens: thinkingCapOf(options) ?? null,
        allows: beyondAsking(this.#opened),
      });
      void this.#readSettings(options.settingSources);
      const session = await this.cli.start(goesOn);
      await this.#switched;
      return this.view(session);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Continues with what an earlier server left: waiting prompts and messages. Returns which. */
  adopt(opened: OpenParams): readonly string[] {
    if (!this.cli.adopt()) return [];
    this.#opened = opened;
    // This server may allow less than the previous one.
    if (opened.permissionMode !== this.#events.view.permissionMode) this.#resetMode();
    const { turns, keptPrompts } = this.cli;
    for (const turn of turns) this.messages.adopt(turn);
    this.prompts.adopt(keptPrompts);
    return [...keptPrompts.map(({ id }) => id), ...turns.map(({ userMessageId }) => String(userMessageId))];
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

  /** Sends a user message; it is held until it may start. */
  send(input: UserInput, options: SentOptions, by: ClientName): void {
    // A program that handles crashes and limits itself gets them as errors.
    const isPage = this.program.client === undefined;
    const chosen: SentOptions = isPage ? options : { ...options, resend: false, onLimit: 'fail' };
    const turn = this.cli.send(input, chosen);
    const title = this.#events.view.title === '' ? titleFrom(contentOf(input)) : undefined;
    if (title !== undefined) this.#events.add({ kind: 'title', title });
    this.messages.add(turn, input, { options: chosen, by });
  }

  /** Answers a prompt; only the first answer counts, and the others learn whose it was. */
  async answer(id: string, answer: PromptAnswer, by: ClientName): Promise<Answered> {
    const given = await this.prompts.answer(this.cli.session, { id, answer }, by);
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
    this.cli.conversation?.setBudget(usd);
    this.#events.add({ kind: 'budget', maxBudgetUsd: usd ?? null });
    this.#update();
  }

  rename(title: string): void {
    this.#events.add({ kind: 'title', title });
    this.#update();
  }

  setMarks({ pinned, archived, tags }: MarksParams): void {
    this.#events.add({ kind: 'marks', pinned, archived, tags: tags && [...new Set(tags)] });
    this.#update();
  }

  /**
   * Records what a control request has set: settings that no message reports, and that the next CLI starts
   * with.
   */
  noteSetting(setting: Setting): void {
    if (Object.keys(setting).length === 0) return;
    const { disabledServers: _servers, ...shown } = setting;
    if (Object.keys(shown).length > 0) this.#events.add({ kind: 'settings', ...shown });
    this.#opened = { ...this.#opened, ...setting };
    this.#update();
  }

  /** Records that a client has allowed this CLI to do more than ask. */
  noteAllowed(words: string | undefined): void {
    const { allows } = this.#events.view;
    if (words === undefined || allows.includes(words)) return;
    this.#events.add({ kind: 'settings', allows: [...allows, words] });
    this.#update();
  }

  /** Sends a notice to clients. */
  note(level: 'info' | 'warning' | 'error', code: string, text: string): void {
    this.#events.add({ kind: 'note', level, code, text });
  }

  /** Ends the CLI; resolves when nothing is left running. The session stays listed. */
  async close(): Promise<void> {
    this.#record();
    await this.cli.close();
  }

  /** Ends everything; a parked session stays parked, and what waits for a person or a limit keeps waiting. */
  async dispose(): Promise<void> {
    await this.cli.leave();
    this.program.requests?.close();
    await this.log.close();
  }

  get #mode(): SessionOptions['permissionMode'] {
    return (this.#events.view.permissionMode ??
      this.#opened.permissionMode) as SessionOptions['permissionMode'];
  }

  /** How the next CLI is started. */
  #launch(): SessionOptions {
    const opened = { ...this.#opened, permissionMode: this.#mode };
    const options = launchOptions(this.#parts.base(opened), opened, this.program.requests);
    this.#sandbox = options.spawner?.name;
    return {
      ...options,
      record: { to: this.log.sink, redact: false },
      // The rest stays in the pipe, and the CLI waits.
      ...(this.#parts.pace === undefined ? {} : { buffer: { messages: 1, characters: 1 } }),
    };
  }

  /** A CLI was started. The usage so far is its starting point. */
  #attached(session: Session): void {
    this.#memory = new CliMemory();
    this.#events.add({ kind: 'cli', conversation: session.id, sandbox: this.#sandbox ?? null });
    this.#listen(session);
    this.#adoptLeft();
    if (this.#parts.pace !== undefined) void readAlong(session, this.id, this.#parts.pace);
    const note = (problem: string) => this.note('warning', 'MCP_SERVER_FAILED', problem);
    this.#switched = keepOff(session, this.#opened.disabledServers, note);
  }

  /** What an earlier server left, if only this CLI could continue with it. */
  #adoptLeft(): void {
    for (const turn of this.cli.conversation?.turns ?? []) this.messages.adopt(turn);
    this.prompts.lost(this.cli.keptPrompts);
  }

  /** The mode in settings files, for display only: the CLI always gets an explicit mode. */
  async #readSettings(sources: SessionOptions['settingSources']): Promise<void> {
    const { configDir } = this.#parts;
    const found = (await settingsMode({ cwd: this.#opened.cwd, configDir, sources })) ?? null;
    const { settingsMode: known = null } = this.#events.view;
    if (found?.mode === known?.mode && found?.file === known?.file) return;
    this.#events.add({ kind: 'settings', settingsMode: found });
    this.#update();
  }

  #listen(session: Session): void {
    session.on('prompt', (change) => {
      this.prompts.changed(change, session.state === 'ready');
      this.#update();
    });
    session.on('message', (message) => {
      if (!SHOWN.has(message.type)) return;
      for (const event of newsIn(this.#events.view, message)) this.#events.add(event);
      this.#checkMode();
      this.#update();
    });
    session.on('unasked', (turn) => void this.messages.followUnasked(turn));
    session.on('diagnostic', ({ code, message }) => this.note('warning', code, message));
  }

  #limited(limits: LoginLimits): void {
    this.#events.add({ kind: 'usage', limits });
    this.#update();
  }

  /** End a CLI that does not ask although it must, whatever the reason. */
  #checkMode(): void {
    if (this.#parts.allowBypass || this.#events.view.permissionMode !== 'bypassPermissions') return;
    this.#fail(bypassRefused());
    this.#resetMode();
    void this.close();
  }

  /** The next CLI starts in the mode that the session was opened with. */
  #resetMode(): void {
    this.#events.add({ kind: 'settings', permissionMode: this.#opened.permissionMode ?? null });
  }

  #fail(error: unknown): void {
    const code = error instanceof CoxswainError ? error.code : 'CLI_ENDED';
    this.note('error', code, errorText(error));
    this.#update(errorText(error));
  }

  #update(error?: string): void {
    this.#record(error);
    this.#useCli();
    this.#parts.onChange(this);
  }

  /** Adds the events that say what has changed; `error` says what went wrong. */
  #record(error?: string): void {
    const { view } = this.#events;
    const { conversation, session, failure } = this.cli;
    const state = this.#currentState;
    const news = newsOf(view, {
      state,
      error: error ?? (state === 'ended' ? failure?.message : undefined),
      failed: conversation === undefined ? view.failed === true : conversation.state === 'failed',
      limitUntil: state === 'limited' ? conversation?.facts.limitUntil?.toISOString() : undefined,
      conversation: session?.id,
      cliVersion: session?.version,
      usage: conversation?.usage,
      countsEarlier: session?.countsEarlier === true,
      maxBudgetUsd: conversation === undefined ? view.maxBudgetUsd : conversation.budgetUsd,
    });
    for (const event of news) this.#events.add(event);
    if (state === 'ended' && view.state !== 'ended') this.program.requests?.close();
  }

  get #currentState(): ConsoleState {
    const asks = this.prompts.open.length > 0;
    return consoleStateOf(this.cli.state, { asks, isBusy: this.messages.busy });
  }

  /** A CLI is not parked while it is working, has viewers or serves a program. */
  #useCli(): void {
    const isAtWork = this.state !== 'idle' && !this.prompts.asksForMoney;
    this.cli.use(isAtWork || this.#viewers > 0 || this.program.client !== undefined);
  }
}
