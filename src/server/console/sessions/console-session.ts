import type {
  ClientName,
  ConsoleState,
  OpenedView,
  OpenParams,
  PromptAnswer,
  SessionSummary,
  SettingsMode,
} from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { EventLog } from '../log/event-log.js';
import { beyondAsking, bypassRefused } from './beyond-asking.js';
import { CliMemory } from './cli-memory.js';
import { type Answered, ConsolePrompts } from './console-prompts.js';
import { stateOf } from './console-state.js';
import { MessageFacts, titleFrom } from './message-facts.js';
import { beginOf, tokensOf, usageOf } from './new-summary.js';
import { type Pace, readAlong } from './read-along.js';
import { contentOf, SentMessages } from './sent-messages.js';
import { SessionCli } from './session-cli.js';
import type { SentOptions, SessionClis } from './session-clis.js';
import { launchOptions } from './session-options.js';
import { SessionProgram } from './session-program.js';
import { keepOff, type Setting, thinkingCapOf } from './session-settings.js';
import { settingsMode } from './settings-mode.js';

/** The dependencies of a {@link ConsoleSession}. */
export interface ConsoleSessionParts {
  readonly log: EventLog;
  readonly clis: SessionClis;
  /** What the server adds to the options of each CLI. */
  readonly base: (opened: OpenParams) => SessionOptions;
  readonly clock: Clock;
  readonly now: () => number;
  readonly graceMs?: number | undefined;
  /** Whether a CLI may be in bypassPermissions. */
  readonly allowBypass: boolean;
  /** The CLI's own folder. */
  readonly configDir: string;
  /** Something in the summary has changed. */
  readonly onChange: (session: ConsoleSession) => void;
  readonly pace?: Pace | undefined;
}

/** A session that the server owns: its CLI, its events, its open prompts, and a summary of everything. */
export class ConsoleSession {
  readonly id: string;
  readonly startedAt: number;
  readonly log: EventLog;
  readonly cli: SessionCli;
  readonly program: SessionProgram;
  readonly prompts: ConsolePrompts;
  readonly #parts: ConsoleSessionParts;
  readonly #facts: MessageFacts;
  readonly #messages: SentMessages;
  #opened: OpenParams;
  #earlier: SessionSummary;
  #viewers = 0;
  #state: ConsoleState;
  #error: string | undefined;
  #title: string;
  #changedAt: number;
  #maxThinkingTokens: number | undefined;
  #memory = new CliMemory();
  #settingsMode: SettingsMode | undefined;
  /** Servers that were disabled before have been disabled in the current CLI too. */
  #switched: Promise<void> = Promise.resolve();
  /** What clients have allowed this CLI to do since it started. */
  #allows: readonly string[] = [];

  /** Continues a session from the state in its summary; a new session has an empty summary. */
  constructor(earlier: SessionSummary, opened: OpenParams, parts: ConsoleSessionParts) {
    this.id = earlier.id;
    this.startedAt = earlier.startedAt;
    this.log = parts.log;
    this.#parts = parts;
    this.prompts = new ConsolePrompts(parts);
    this.#messages = new SentMessages(
      parts.log,
      () => this.#update(),
      (uuid) => this.cli.isLeft(uuid),
    );
    this.program = new SessionProgram(parts.clock, parts.graceMs);
    const owner = {
      id: earlier.id,
      begins: () => beginOf(this.#earlier),
      mode: () => this.#mode,
      launch: () => this.#launch(),
      attached: (session: Session) => this.#attached(session),
      changed: () => this.#update(),
      lost: () => this.prompts.lost(this.cli.keptPrompts),
      note: (code: string, text: string) => this.note('info', code, text),
      asksForMoney: (prompt: BudgetPrompt) => void this.prompts.budget(prompt, () => this.#update()),
      mayWait: () => this.program.client === undefined,
    };
    this.cli = new SessionCli(owner, parts.clis, earlier.state === 'parked');
    this.#opened = opened;
    this.#earlier = earlier;
    this.#state = earlier.state;
    this.#error = earlier.error;
    this.#title = earlier.title;
    this.#changedAt = earlier.changedAt;
    this.#facts = new MessageFacts(earlier);
    this.#maxThinkingTokens = earlier.maxThinkingTokens;
  }

  get opened(): OpenParams {
    return this.#opened;
  }

  get state(): ConsoleState {
    return this.#state;
  }

  get viewers(): number {
    return this.#viewers;
  }

  /** The id of the CLI's conversation, once known. */
  get conversation(): string | undefined {
    return this.cli.session?.id ?? this.#earlier.conversation;
  }

  /** The CLI's process, if there is one. */
  get pid(): number | undefined {
    return this.cli.isOpen ? this.cli.session?.pid : undefined;
  }

  /** Its memory. */
  get memory(): CliMemory {
    return this.#memory;
  }

  get summary(): SessionSummary {
    const { conversation } = this.cli;
    const usage = conversation?.usage ?? usageOf(this.#earlier);
    const kind = this.cli.session === undefined ? this.#earlier.owner.kind : this.program.kind;
    return {
      ...this.#earlier,
      conversation: this.conversation,
      title: this.#title,
      cwd: this.#opened.cwd,
      state: this.#state,
      error: this.#error,
      failed: conversation === undefined ? this.#earlier.failed : conversation.state === 'failed',
      cliVersion: this.cli.session?.version ?? this.#earlier.cliVersion,
      model: this.#facts.model ?? this.#opened.model,
      permissionMode: this.#facts.permissionMode ?? this.#opened.permissionMode,
      settingsMode: this.#settingsMode,
      allows: [...new Set([...beyondAsking(this.#opened), ...this.#allows])],
      maxThinkingTokens: this.#maxThinkingTokens,
      owner: { ...this.#earlier.owner, kind, away: this.program.away },
      viewers: this.#viewers,
      costUsd: usage.costUsd,
      // Newer CLIs know what the conversation had cost before, and report it with their first result.
      costIsPartial: this.#earlier.costIsPartial === true && this.cli.session?.countsEarlier !== true,
      tokens: tokensOf(usage),
      context: { tokens: this.#facts.contextTokens, window: this.#facts.contextWindow },
      memory: this.pid === undefined ? undefined : this.#memory.view,
      maxBudgetUsd: conversation === undefined ? this.#earlier.maxBudgetUsd : conversation.budgetUsd,
      prompts: this.prompts.open,
      queued: this.#messages.queued,
      last: this.log.last,
      changedAt: this.#changedAt,
    };
  }

  /** Starts a CLI and resolves when it is ready. Errors also appear in the events. */
  async start(opened: OpenParams, ownerClient?: string): Promise<OpenedView> {
    if (this.cli.isOpen) throw new CoxswainError('COMMAND_INVALID', 'The session has not ended.');
    this.#earlier = this.summary;
    const goesOn = this.cli.forget();
    const { disabledServers = this.#opened.disabledServers } = opened;
    this.#opened = { ...opened, disabledServers };
    this.program.start(opened, ownerClient);
    this.#error = undefined;
    this.#allows = [];
    try {
      this.#facts.permissionMode = undefined;
      const options = this.cli.launch();
      this.#maxThinkingTokens = thinkingCapOf(options);
      this.#facts.permissionMode = options.permissionMode;
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
    const turns = this.cli.adopt();
    if (turns === undefined) return [];
    this.#opened = opened;
    // This server may allow less than the previous one.
    this.#facts.permissionMode = opened.permissionMode;
    this.#error = undefined;
    for (const turn of turns) this.#messages.adopt(turn);
    this.prompts.lost(this.cli.keptPrompts);
    this.#state = stateOf(this.cli.state, this.prompts, this.#messages.busy);
    return [...this.prompts.open.map(({ id }) => id), ...this.#messages.queued];
  }

  /** Facts about the current CLI. */
  view({ info, version }: Session): OpenedView {
    return { session: this.id, cliVersion: version, info };
  }

  /** Sends a user message; it is held until it may start. */
  send(input: UserInput, options: SentOptions, by: ClientName): void {
    const { uuid } = options;
    // A program that handles crashes and limits itself gets them as errors.
    const isPage = this.program.client === undefined;
    const turn = this.cli.send(input, isPage ? options : { ...options, resend: false, onLimit: 'fail' });
    const content = contentOf(input);
    if (this.#title === '') this.#title = titleFrom(content) ?? '';
    this.#messages.add(uuid, turn, { content, by });
  }

  /** Cancels a message that has not started. */
  unsend(uuid: string): Promise<boolean> {
    return this.#messages.takeBack(uuid);
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
    this.#earlier = { ...this.#earlier, maxBudgetUsd: usd };
    this.#update();
  }

  rename(title: string): void {
    this.#title = title;
    this.#update();
  }

  /**
   * Records what a control request has set: settings that no message reports, and that the next CLI starts
   * with.
   */
  noteSetting(setting: Setting): void {
    const { model, permissionMode, maxThinkingTokens } = setting;
    if (Object.keys(setting).length === 0) return;
    if (model !== undefined) this.#facts.model = model;
    if (permissionMode !== undefined) this.#facts.permissionMode = permissionMode;
    if (maxThinkingTokens !== undefined) this.#maxThinkingTokens = maxThinkingTokens ?? undefined;
    this.#opened = { ...this.#opened, ...setting };
    this.#update();
  }

  /** Records that a client has allowed this CLI to do more than ask. */
  noteAllowed(words: string | undefined): void {
    if (words === undefined || this.#allows.includes(words)) return;
    this.#allows = [...this.#allows, words];
    this.#update();
  }

  /** Sends a notice to clients. */
  note(level: 'info' | 'warning' | 'error', code: string, text: string): void {
    this.log.add({ kind: 'note', level, code, text });
  }

  /** Ends the CLI; resolves when nothing is left running. The session stays listed. */
  async close(): Promise<void> {
    this.#earlier = this.summary;
    await this.cli.close();
  }

  /** Ends everything; a parked session stays parked, and what waits for a person or a limit keeps waiting. */
  async dispose(): Promise<void> {
    this.#earlier = this.summary;
    await this.cli.leave();
    this.program.requests?.close();
    await this.log.close();
  }

  get #mode(): SessionOptions['permissionMode'] {
    return (this.#facts.permissionMode ?? this.#opened.permissionMode) as SessionOptions['permissionMode'];
  }

  /** How the next CLI is started. */
  #launch(): SessionOptions {
    const opened = { ...this.#opened, permissionMode: this.#mode };
    return {
      ...launchOptions(this.#parts.base(opened), opened, this.program.requests),
      record: { to: this.log.sink, redact: false },
      // Readers use the log; nobody reads the turns here.
      buffer: { messages: 1, characters: 1 },
    };
  }

  /** A CLI was started. The usage so far is its starting point. */
  #attached(session: Session): void {
    this.#earlier = this.summary;
    this.#memory = new CliMemory();
    this.#error = undefined;
    this.#listen(session);
    if (this.#parts.pace !== undefined) void readAlong(session, this.id, this.#parts.pace);
    const note = (problem: string) => this.note('warning', 'MCP_SERVER_FAILED', problem);
    this.#switched = keepOff(session, this.#opened.disabledServers, note);
  }

  /** The mode in settings files, for display only: the CLI always gets an explicit mode. */
  async #readSettings(sources: SessionOptions['settingSources']): Promise<void> {
    const { configDir } = this.#parts;
    this.#settingsMode = await settingsMode({ cwd: this.#opened.cwd, configDir, sources });
    this.#update();
  }

  #listen(session: Session): void {
    session.on('state', (state) => {
      if (state === 'ended') void this.#noteEnd(session);
    });
    session.on('prompt', (change) => {
      this.prompts.changed(change, session.state === 'ready');
      this.#update();
    });
    session.on('message', (message) => {
      if (!this.#facts.note(message)) return;
      this.#checkMode();
      this.#update();
    });
    session.on('unasked', (turn) => void this.#messages.followUnasked(turn));
    session.on('diagnostic', ({ code, message }) => this.note('warning', code, message));
  }

  async #noteEnd(session: Session): Promise<void> {
    const error = await this.cli.failure(session);
    if (error === undefined) return;
    this.#error = error;
    this.#update();
  }

  /** End a CLI that does not ask although it must, whatever the reason. */
  #checkMode(): void {
    if (this.#parts.allowBypass || this.#facts.permissionMode !== 'bypassPermissions') return;
    this.#fail(bypassRefused());
    this.#facts.permissionMode = undefined;
    void this.close();
  }

  #fail(error: unknown): void {
    this.#error = errorText(error);
    const code = error instanceof CoxswainError ? error.code : 'CLI_ENDED';
    this.note('error', code, this.#error);
    this.#update();
  }

  #update(): void {
    const state = stateOf(this.cli.state, this.prompts, this.#messages.busy);
    this.#changedAt = this.#parts.now();
    if (state !== this.#state) {
      this.#state = state;
      this.log.add({ kind: 'state', state });
      if (state === 'ended') this.program.requests?.close();
    }
    this.#useCli();
    this.#parts.onChange(this);
  }

  /** A CLI is not parked while it is working, has viewers or serves a program. */
  #useCli(): void {
    const isAtWork = this.#state !== 'idle' && !this.prompts.asksForMoney;
    this.cli.use(isAtWork || this.#viewers > 0 || this.program.client !== undefined);
  }
}
