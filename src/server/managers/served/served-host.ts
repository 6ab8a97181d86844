import type {
  CommandName,
  CommandParams,
  CommandValue,
  LogEvent,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import { type SessionTurn, STOP_MS, type Turn } from '../../../host/session/turns/turn.js';
import { type UserInput, userMessage } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, within } from '../../../wire/util/clock.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { Listeners } from '../../../wire/util/listeners.js';
import type { Conversations } from '../../console/service/conversations.js';
import { type ConversationState, conversationStateOf, isWithoutCli } from '../../conversation/states.js';
import type { ConversationSendOptions } from '../../manager/conversations/conversation.js';
import { checkSendOptions } from '../../manager/conversations/conversation-option-checks.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import { askAgain } from './ask-again.js';
import { ConversationLog } from './conversation-log.js';
import { ConversationPrompts } from './conversation-prompts.js';
import { ConversationReaders } from './conversation-readers.js';
import { ConversationTurns } from './conversation-turns.js';
import { GuestSession } from './guest-session.js';
import { checkSame, type OpenedOptions, openedOptions, openParams } from './open-params.js';
import { factsOf, ownerOf } from './served-facts.js';
import type { ServedConversationOptions } from './served-manager-options.js';

/** What a {@link ServedHost} has in common with the others of its manager. */
export interface ServedSurroundings {
  readonly server: Conversations;
  readonly clock: Clock;
  /** Aborted when the program leaves the server. */
  readonly left: AbortSignal;
  readonly listeners: Listeners<ManagerEvents>;
  readonly onLimit: 'wait' | 'fail' | undefined;
  readonly budgetUsd: number | undefined;
  /** Whether the program is leaving. */
  readonly isLeaving: () => boolean;
}

/** How long a program that leaves a conversation or deletes it waits until the server has its messages. */
const LEAVE_MS = 5_000;

const LEFT_UNCLEAR =
  'the manager was closed before its server said whether it has accepted it. Send it again with the same id: it runs once at most.';

/** Events that are only in the log. */
const IN_LOG = ['message', 'turn', 'unasked', 'diagnostic'] as const;

/** The parts of a conversation that a server owns, and how they work together. */
export class ServedHost {
  readonly name: string;
  readonly session: string;
  readonly #around: ServedSurroundings;
  readonly #listeners = new Listeners<ManagerEvents>();
  readonly #log: ConversationLog;
  readonly turns: ConversationTurns;
  readonly prompts: ConversationPrompts;
  readonly readers: ConversationReaders;
  readonly guest: GuestSession;
  #options: ServedConversationOptions;
  /** What its server knows about it. */
  #summary: SessionSummary | undefined;
  /** The options that it was opened with, if this program knows them. */
  #openedWith: OpenedOptions | undefined;
  /** The options that were named since, to be compared with those before its next message. */
  #unchecked: ServedConversationOptions | undefined;
  #watchers = 0;
  #told: ConversationState;
  #deleted = false;
  /** Whether a conversation that failed should try again. */
  #retried = false;
  info: Session['info'] | undefined;
  /** Messages and changes are passed on one at a time. */
  #sending: Promise<void> = Promise.resolve();
  /** Messages that no server has confirmed. */
  readonly #unsent = new Set<string>();
  /** Messages that the program no longer waits for, and that its server gets all the same. */
  #left: ReadonlySet<string> = new Set();
  /** Those of them that one may have accepted. */
  readonly #unclear = new Set<string>();
  #opening: Promise<void> | undefined;

  constructor(
    name: string,
    session: string,
    { options, ...around }: ServedSurroundings & { readonly options: ServedConversationOptions },
  ) {
    this.name = name;
    this.session = session;
    this.#around = around;
    this.#options = options;
    const { server, clock } = around;
    this.#summary = server.known(session);
    this.#log = new ConversationLog(server, session, {
      onEvent: (event, length) => this.#take(event, length),
      onGap: () => this.#missed(),
    });
    this.readers = new ConversationReaders(this.#log, () => this.look());
    this.turns = new ConversationTurns({
      watcher: this.#log,
      cancel: (turn) => this.#cancel(turn),
      stop: (turn) => this.#stop(turn),
      onSettled: (messageId, outcome) => {
        this.#emit('turn', { messageId, outcome });
        this.look();
      },
      onUnasked: (turn) => {
        this.readers.unaskedTurn(turn);
        this.#emit('unasked', { turn });
      },
    });
    this.prompts = new ConversationPrompts({
      name,
      clock,
      pending: async () => (await this.ask('info', {})).pending,
      answer: (prompt, answer) => void this.attempt(this.ask('answer', { prompt, answer })),
      onChange: (change) => this.#emit('prompt', change),
      onBudget: (prompt) => this.#emit('budget', { prompt }),
      decide: async (prompt, answer) => {
        const given = this.ask('answer', { prompt, answer });
        await this.attempt(given);
        return given.then(
          ({ accepted }) => accepted,
          () => true,
        );
      },
    });
    this.guest = new GuestSession({ server, session, clock, commandLine: `conversation ${name}` });
    this.#told = this.state;
    if (this.#summary === undefined) return;
    this.prompts.update(this.#summary);
    this.#log.note(this.#summary.last);
    this.turns.addWaiting(this.#summary.queued);
  }

  /** What its server knows about it. */
  get summary(): SessionSummary | undefined {
    return this.#summary;
  }

  get budgetUsd(): number | undefined {
    return this.#summary === undefined ? this.#around.budgetUsd : this.#summary.maxBudgetUsd;
  }

  get owner(): string {
    return this.#summary === undefined ? (this.#options.owner ?? 'default') : ownerOf(this.#summary);
  }

  get state(): ConversationState {
    if (this.#deleted) return 'deleted';
    const state = this.#summary === undefined ? 'parked' : conversationStateOf(this.#summary);
    const isAway = state === 'parked' || (state === 'failed' && this.#retried);
    return isAway ? (this.turns.all.length > 0 ? 'queued' : 'parked') : state;
  }

  get facts(): ConversationFacts {
    const { name, owner, state } = this;
    const messages = this.turns.all.length;
    if (this.#summary !== undefined) {
      const facts = factsOf(name, this.#summary);
      return { ...facts, state, messages: Math.max(facts.messages, messages) };
    }
    const now = new Date();
    const { priority = 0 } = this.#options;
    const times = { createdAt: now, usedAt: now };
    const none = { sessionId: undefined, limitUntil: undefined, failure: undefined, schedule: undefined };
    return { name, owner, priority, state, messages, costUsd: 0, ...times, ...none };
  }

  /** Resolves when all messages so far were passed on, or failed. */
  get sent(): Promise<void> {
    return this.#sending;
  }

  /** The same, but if nobody takes them, it does not wait for long. */
  async passedOn(): Promise<void> {
    await within(this.#sending, LEAVE_MS, this.#around.clock);
  }

  /** Lets a conversation that failed try again. */
  retry(): void {
    this.#retried = true;
    void this.attempt(this.open());
  }

  /**
   * Sets the options that the conversation is opened with; one that was deleted can be opened again. If it exists, what a
   * program has named must be what it was opened with.
   */
  configure(options: ServedConversationOptions, named: ServedConversationOptions): void {
    if (this.#summary !== undefined) {
      const { owner: _owner, priority: _priority, workspace: _workspace, ...compared } = named;
      if (Object.keys(compared).length === 0) return;
      if (this.#openedWith !== undefined) checkSame(this.name, compared, this.#openedWith);
      else this.#unchecked = { ...this.#unchecked, ...compared };
      return;
    }
    this.#options = { ...this.#options, ...options };
    this.#deleted = false;
  }

  send(input: UserInput, options: ConversationSendOptions = {}): Turn {
    checkSendOptions(options);
    this.checkUsable();
    const { whileBusy = 'enqueue', signal } = options;
    if (whileBusy === 'reject' && this.facts.messages > 0)
      throw new CoxswainError(
        'CONVERSATION_BUSY',
        `A turn of the conversation ${this.name} is still in progress.`,
      );
    const message = userMessage(input, options, () => crypto.randomUUID());
    if (this.turns.has(message.uuid))
      throw new CoxswainError('MESSAGE_INVALID', `The message ${message.uuid} was sent before.`);
    const turn = this.turns.add(message.uuid);
    if (signal?.aborted === true) {
      this.turns.settle(message.uuid, { kind: 'aborted', cause: signal.reason });
      return turn;
    }
    this.#unsent.add(message.uuid);
    this.#sending = this.#sending.then(() => this.#deliver(turn, message, { ...options, whileBusy }));
    if (signal !== undefined) turn.stopOnAbort(signal);
    return turn;
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    const remove = this.#listeners.on(event, listener);
    this.look();
    return () => {
      remove();
      this.look();
    };
  }

  async interrupt(): Promise<boolean> {
    if (this.#summary === undefined) return false;
    try {
      return (await this.ask('interrupt', {})).interrupted;
    } catch (error) {
      if (errorCode(error) === 'SESSION_ENDED') return false;
      throw error;
    }
  }

  /** Called when the summary of the conversation has changed. */
  update(summary: SessionSummary): void {
    this.#summary = summary;
    if (isWithoutCli(summary.state)) this.#log.note(summary.last);
    this.turns.addWaiting(summary.queued);
    this.#deleted = false;
    if (conversationStateOf(summary) !== 'failed') this.#retried = false;
    this.prompts.update(summary);
    this.#changed();
    this.look();
  }

  /** Called when the conversation was deleted. */
  removed(): void {
    this.#summary = undefined;
    this.#openedWith = undefined;
    this.#unchecked = undefined;
    this.#deleted = true;
    this.#log.stop(new CoxswainError('SESSION_UNKNOWN', 'The conversation was deleted.'));
    this.prompts.close();
    this.turns.settleAll({ kind: 'closed' });
    void this.guest.close();
    this.#changed();
  }

  /** The connection to the server is lost for good: the conversation may continue, but nobody here learns how. */
  lost(error: Error): void {
    this.turns.settleAll({ kind: 'unknown', message: errorText(error) });
    this.prompts.close();
    this.readers.finish();
    this.#log.stop(error);
  }

  /** Keeps its CLI running while somebody watches; the returned function ends that. */
  watch(): () => void {
    let isOver = false;
    this.#watched(1);
    return () => {
      if (!isOver) this.#watched(-1);
      isOver = true;
    };
  }

  #watched(by: 1 | -1): void {
    this.#watchers += by;
    this.#log.watches = this.#watchers > 0;
    this.look();
  }

  /** Resolves when the server has all sent messages, and the running turns have ended. The others settle at once. */
  async finish(): Promise<void> {
    this.#left = new Set(this.turns.settleWaiting({ kind: 'closed' }));
    await this.#sending;
    await Promise.all(this.turns.all.map(({ outcome }) => outcome));
  }

  /** The program leaves; the conversation continues without it. */
  async close(): Promise<void> {
    // What was sent is not lost because the program leaves immediately.
    await this.passedOn();
    const message = 'The manager was closed before its server had the message.';
    const unknown = `Nobody can tell whether this message runs: ${LEFT_UNCLEAR}`;
    for (const uuid of this.#unsent)
      this.turns.settle(
        uuid,
        this.#unclear.has(uuid) ? { kind: 'unknown', message: unknown } : { kind: 'error', message },
      );
    this.turns.settleAll({ kind: 'closed' });
    this.prompts.close();
    this.readers.finish();
    this.#log.stop();
    await this.guest.close();
  }

  checkUsable(): void {
    if (this.#around.isLeaving())
      throw new CoxswainError('MANAGER_CLOSED', `The manager of the conversation ${this.name} is closing.`);
    if (this.#deleted)
      throw new CoxswainError('CONVERSATION_UNKNOWN', `The conversation ${this.name} was deleted.`);
    if (this.state !== 'failed') return;
    const message = `The conversation ${this.name} has failed: ${this.facts.failure} Call retry() to try again.`;
    throw new CoxswainError('CONVERSATION_FAILED', message);
  }

  async #deliver(
    turn: SessionTurn,
    message: WireObject & { readonly uuid: string },
    { whileBusy, resend, onLimit = this.#around.onLimit }: ConversationSendOptions,
  ): Promise<void> {
    const { uuid } = message;
    const isStopped = () => turn.receipt === 'settled' && !this.#left.has(uuid);
    try {
      await this.exists();
      await this.#log.follow();
      if (isStopped()) return;
      const params = { content: '', message, whileBusy, resend, onLimit, reopen: true };
      const { clock, left } = this.#around;
      const outcome = await askAgain(() => this.ask('send', params, { id: uuid }), {
        clock,
        signal: left,
        isOver: isStopped,
        onUnclear: () => this.#unclear.add(uuid),
      });
      if (outcome !== undefined && this.turns.has(uuid)) this.turns.settle(uuid, outcome);
      // Stopped meanwhile, when no worker had it.
      if (outcome === undefined && isStopped()) await this.ask('unsend', { uuid });
    } catch (error) {
      if (this.turns.has(uuid)) this.turns.settle(uuid, { kind: 'error', message: errorText(error) });
    } finally {
      this.#unsent.delete(uuid);
      this.#unclear.delete(uuid);
    }
  }

  /** Opens the conversation, unless its server has it. */
  async exists(): Promise<void> {
    if (this.#around.server.known(this.session) === undefined) return this.open();
    const named = this.#unchecked;
    if (named === undefined) return;
    this.#openedWith = await this.ask('export', {});
    checkSame(this.name, named, this.#openedWith);
    this.#unchecked = undefined;
  }

  /** Opens the conversation, or starts its CLI if none is running. */
  open(): Promise<void> {
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNow(): Promise<void> {
    const { server, budgetUsd, left: signal } = this.#around;
    const { name, session: id } = this;
    const cwd = this.#summary?.cwd ?? this.#options.cwd;
    const isNew = server.known(id) === undefined;
    const params = openParams(this.#options, { id, name, cwd, budgetUsd });
    this.info = (await server.command('open', params, { signal })).info;
    if (isNew) this.#openedWith = openedOptions(this.#options);
  }

  ask<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    { id }: { readonly id?: string } = {},
  ): Promise<CommandValue<Name>> {
    const { server, left: signal } = this.#around;
    return server.command(name, params, { session: this.session, id, signal });
  }

  /** Changes something of the conversation, which is opened before if it was not, or has ended. */
  async change<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
  ): Promise<CommandValue<Name>> {
    await (this.#summary?.state === 'ended' ? this.open() : this.exists());
    this.#openedWith = undefined;
    return this.ask(name, params);
  }

  /** The same, after what was sent before; nobody waits for it. */
  do<Name extends CommandName>(name: Name, params: CommandParams<Name>): void {
    this.#sending = this.#sending.then(() => this.attempt(this.change(name, params)));
  }

  /** Nobody waits for the result, so a failure is reported. */
  async attempt(doing: Promise<unknown>): Promise<void> {
    await doing.catch((error: unknown) =>
      this.#diagnose(String(errorCode(error) ?? 'COMMAND_INVALID'), errorText(error)),
    );
  }

  async #cancel({ userMessageId }: SessionTurn): Promise<boolean> {
    return userMessageId !== undefined && this.takeBack(userMessageId);
  }

  async takeBack(uuid: string): Promise<boolean> {
    if (this.#around.server.known(this.session) === undefined) {
      this.turns.settle(uuid, { kind: 'cancelled' });
      return true;
    }
    await this.#sending;
    return this.turns.has(uuid) && (await this.ask('unsend', { uuid })).cancelled;
  }

  /** A CLI or a server that does not react cannot keep the turn open: the wait ends here. */
  async #stop(turn: SessionTurn): Promise<void> {
    const stopped = Promise.all([this.attempt(this.#askToStop(turn)), turn.outcome]);
    if (await within(stopped, STOP_MS, this.#around.clock)) return;
    this.turns.giveUp(turn);
    this.look();
  }

  async #askToStop(turn: SessionTurn): Promise<void> {
    if (await this.#cancel(turn).catch(() => false)) return;
    const receipt = await turn.began;
    if (receipt !== 'settled' && receipt !== 'cancelled') await this.interrupt();
  }

  #take(event: LogEvent, length: number): void {
    const isMessage = event.kind === 'line' && event.from === 'cli' && event.earlier !== true;
    if (!isMessage) this.turns.take(event);
    else if (event.frame !== undefined && !String(event.frame.type).startsWith('control_')) {
      this.turns.hear(event.frame, length);
      this.readers.hear(event.frame, length);
      this.#emit('message', { message: event.frame });
    }
    if (event.kind === 'note') this.#diagnose(event.code, event.text);
  }

  /** What happened in the gap is only known from the summary. */
  #missed(): void {
    const { queued = [], state } = this.#summary ?? {};
    const isBusy = state !== undefined && state !== 'idle' && !isWithoutCli(state);
    const error = new CoxswainError('REMOTE_LOST', 'The server no longer has the events of this turn.');
    for (const { userMessageId = '' } of this.turns.all)
      if (!isBusy && !queued.includes(userMessageId))
        this.turns.settle(userMessageId, { kind: 'cli-ended', error });
  }

  #diagnose(code: string, message: string): void {
    this.#emit('diagnostic', { diagnostic: { code, message } as unknown as Diagnostic });
  }

  #changed(): void {
    const { state } = this;
    if (state === this.#told) return;
    this.#told = state;
    this.#emit('state', { state });
  }

  #emit(event: string, value: object): void {
    const told = { conversation: this.name, ...value } as never;
    this.#listeners.emit(event, told);
    this.#around.listeners.emit(event, told);
  }

  /** Reads the log while somebody needs it. */
  look(): void {
    const { server, listeners } = this.#around;
    const isLiveNow = this.#summary !== undefined && !isWithoutCli(this.#summary.state);
    // Listeners for all conversations do not keep parked ones open.
    const isHeard = IN_LOG.some((event) => this.#listeners.has(event) || (isLiveNow && listeners.has(event)));
    const isNeeded = isHeard || this.turns.all.length > 0 || this.readers.isRead || this.#watchers > 0;
    if (!isNeeded) this.#log.stop();
    else if (server.known(this.session) !== undefined) void this.#log.follow().catch(() => {});
  }
}
