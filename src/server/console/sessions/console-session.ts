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
import { withoutStart } from '../../../host/cli/options/cli-option-table.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type CliEnd, consoleStateOf } from '../../conversation/states.js';
import type { AskedChange, ConversationUser } from '../../manager/conversations/conversation-user.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import type { EventLog } from '../log/event-log.js';
import { FoldedLog } from '../log/folded-log.js';
import { beyondAsking, bypassRefused } from './beyond-asking.js';
import { CliMemory } from './cli-memory.js';
import type { ConsoleManager } from './console-manager.js';
import { type Answered, ConsolePrompts } from './console-prompts.js';
import { KnownMessages } from './known-messages.js';
import { beginOf, titleFrom } from './new-summary.js';
import { type Pace, readAlong } from './read-along.js';
import { type SentOptions, SessionCli } from './session-cli.js';
import { newsIn, newsOf } from './session-news.js';
import { launchOptions } from './session-options.js';
import { SessionProgram } from './session-program.js';
import { keepOff, type Setting, thinkingCapOf } from './session-settings.js';
import { settingsMode } from './settings-mode.js';

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
  readonly pace?: Pace | undefined;
}

/** Messages that change what is shown of a session. */
const SHOWN: ReadonlySet<unknown> = new Set(['system', 'assistant', 'result']);

/** A session that the server owns: its CLI, its events, its open prompts, and a summary of everything. */
export class ConsoleSession implements ConversationUser {
  readonly id: string;
  readonly cli: SessionCli;
  readonly program: SessionProgram;
  readonly prompts: ConsolePrompts;
  readonly #parts: ConsoleSessionParts;
  /** Its log, and what follows from it. */
  readonly #events: FoldedLog;
  readonly #known: KnownMessages;
  /** How its next CLI is started; the server is asked once per CLI. */
  #launch: SessionOptions | undefined;
  #opened: OpenParams;
  #viewers = 0;
  #memory = new CliMemory();
  /** Servers that were disabled before have been disabled in the current CLI too. */
  #switched: Promise<void> = Promise.resolve();

  /** Continues a session from what its events so far say; a new session has an empty view. */
  constructor(view: SessionSummary, opened: OpenParams, parts: ConsoleSessionParts) {
    this.id = view.id;
    this.#parts = parts;
    this.#events = new FoldedLog(parts.log, view, parts.now);
    this.prompts = new ConsolePrompts(this.#events, parts);
    this.#known = new KnownMessages(parts.log, () => parts.readTranscript(this.#events.view));
    this.program = new SessionProgram(parts.clock, parts.graceMs);
    this.cli = new SessionCli(view, parts.manager, this);
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
    this.#launch = undefined;
    const { disabledServers = this.#opened.disabledServers } = opened;
    this.#opened = { ...opened, disabledServers };
    this.program.start(opened, ownerClient);
    const { cwd, model, permissionMode } = opened;
    this.#events.add({ kind: 'opened', cwd, by: this.program.kind, model, permissionMode });
    try {
      const options = this.#asked;
      this.#events.add({
        kind: 'settings',
        permissionMode: options.permissionMode ?? permissionMode ?? null,
        maxThinkingTokens: thinkingCapOf(options) ?? null,
        allows: beyondAsking(this.#opened),
      });
      void this.#readSettings(options.settingSources);
      const session = await this.cli.start(goesOn, () => beginOf(this.#events.view, this.#opened));
      await this.#switched;
      return this.view(session);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Continues with what an earlier server left: waiting prompts and messages. Returns which. */
  adopt(opened: OpenParams): readonly string[] {
    const adopted = this.cli.adopt();
    if (adopted.length === 0) return [];
    this.#opened = opened;
    // This server may allow less than the previous one.
    if (opened.permissionMode !== this.#events.view.permissionMode) this.#resetMode();
    for (const prompt of this.cli.keptPrompts) this.prompts.show(prompt);
    return adopted;
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
    this.cli.send(input, chosen, by);
  }

  /**
   * Whether a message is already here. A CLI would ignore the second one, and nothing would settle it: if the first one
   * is over, clients learn again how it ended.
   */
  async repeats(uuid: string): Promise<boolean> {
    if (this.cli.has(uuid)) return true;
    const outcome = await this.#known.outcomeOf(uuid);
    if (outcome !== undefined) this.#events.add({ kind: 'settled', uuid, outcome });
    return outcome !== undefined;
  }

  /** Answers a prompt; only the first answer counts, and the others learn whose it was. */
  async answer(id: string, answer: PromptAnswer, by: ClientName): Promise<Answered> {
    const given = this.prompts.answer(this.cli.findPrompt(id), { id, answer }, by);
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

  launch(resumes: boolean): LaunchOptions {
    const asked = this.#asked;
    // Whatever the mode was before: the console decides in which mode a CLI may start.
    const permissionMode = this.#mode ?? asked.permissionMode;
    // Undefined if a program has its own rules for prompts.
    return { prompts: undefined, ...(resumes ? withoutStart(asked) : asked), permissionMode };
  }

  /** A CLI was started. The usage so far is its starting point. */
  attached(session: Session): void {
    this.#memory = new CliMemory();
    this.#events.add({ kind: 'cli', conversation: session.id, sandbox: this.#asked.spawner?.name ?? null });
    this.#listen(session);
    // What an earlier server left, if only this CLI could continue with it.
    this.#keepPrompts();
    if (this.#parts.pace !== undefined) void readAlong(session, this.id, this.#parts.pace);
    const note = (problem: string) => this.note('warning', 'MCP_SERVER_FAILED', problem);
    this.#switched = keepOff(session, this.#opened.disabledServers, note);
    this.cli.attached(session);
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

  /** Its CLI is gone; what it had is settled, or waits for the next CLI. */
  ended(end: CliEnd): void {
    if (!this.cli.ended(end)) return;
    this.#launch = undefined;
    this.#keepPrompts();
    this.#update();
  }

  get whenStored(): ConversationUser['whenStored'] {
    const { whenStored } = this.#parts;
    return whenStored && (() => whenStored(this.id));
  }

  /** Waiting messages may continue without the program that opened the session. */
  get mayWait(): boolean {
    return this.program.client === undefined;
  }

  /** Without their CLI, only kept prompts can be answered; budgets need none. */
  #keepPrompts(): void {
    const { keptPrompts, budgetPrompt } = this.cli;
    this.prompts.keepOnly(keptPrompts, budgetPrompt);
  }

  get #mode(): SessionOptions['permissionMode'] {
    return (this.#events.view.permissionMode ??
      this.#opened.permissionMode) as SessionOptions['permissionMode'];
  }

  get #asked(): SessionOptions {
    this.#launch ??= this.#launchOptions();
    return this.#launch;
  }

  #launchOptions(): SessionOptions {
    const opened = { ...this.#opened, permissionMode: this.#mode };
    const options = launchOptions(this.#parts.base(opened), opened, this.program.requests);
    return {
      ...options,
      record: { to: this.log.sink, redact: false },
      // The rest stays in the pipe, and the CLI waits.
      ...(this.#parts.pace === undefined ? {} : { buffer: { messages: 1, characters: 1 } }),
    };
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
    session.on('message', (message) => {
      if (!SHOWN.has(message.type)) return;
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
    return consoleStateOf(this.cli.state, { asks, isBusy: this.cli.isBusy });
  }

  /** A CLI is not parked while it is working, has viewers or serves a program. */
  #useCli(): void {
    const isAtWork = this.state !== 'idle' && this.cli.budgetPrompt?.isOpen !== true;
    this.cli.use(isAtWork || this.#viewers > 0 || this.program.client !== undefined);
  }
}
