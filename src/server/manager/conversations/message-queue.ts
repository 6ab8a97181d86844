import type { Session } from '../../../host/session/session.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { SessionTurn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { BudgetPrompt } from '../money/budget-prompt.js';
import type { ConversationRecord, MessageRecord } from '../store/record.js';
import type { ConversationCli } from './conversation-cli.js';
import { ManagedTurn } from './managed-turn.js';
import type { Surroundings } from './surroundings.js';
import { limitEnd } from './usage-limit.js';

/** What {@link MessageQueue} asks of its conversation. */
export interface QueueOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  changed(): void;
  becameIdle(): void;
  turnEnded(messageId: string): void;
  countUsage(): void;
  emit(event: string, value: object): void;
  /** Whether a CLI of an earlier host took up a message. */
  tookUp(messageId: string): Promise<boolean>;
}

interface NewMessage {
  readonly id: string;
  readonly input: UserInput;
  readonly resend: boolean;
  /** Before those that wait. */
  readonly first: boolean;
}

interface Entry {
  record: MessageRecord;
  /** It was under way when an earlier host ended. */
  readonly orphaned: boolean;
  readonly turn: ManagedTurn;
}

/** Starts in a row that may end without a result before a conversation fails. */
const MAX_CRASHES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** How long a disk that refused to write is left alone. */
const DISK_PAUSE_MS = 5_000;
/** How long a limit is waited for whose end the CLI does not tell. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;
/** After part of a turn was heard, sending its message again would do the work twice. */
const GO_ON = 'Continue.';

/** Errors of an open that a second try would meet again. */
const LASTING: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'CLI_NOT_FOUND',
  'CLI_NOT_EXECUTABLE',
  'CLI_TOO_OLD',
  'CLI_WRONG_PLATFORM',
  'CWD_INVALID',
  'ROOT_BYPASS',
  'SESSION_MISSING',
  'CALLBACK_UNREACHABLE',
  'WORKSPACE_FAILED',
]);

/** The messages of one conversation: sent one after the other, each until it has settled. */
export class MessageQueue {
  readonly #owner: QueueOwner;
  readonly #cli: ConversationCli;
  readonly #around: Surroundings;
  #entries: Entry[] = [];
  #working: Promise<void> | undefined;
  #running: Entry | undefined;
  #heard = false;
  #waitsFor: 'limited' | 'paused' | undefined;
  #budgetPrompt: BudgetPrompt | undefined;
  readonly #stop = deferred<'stopped'>();
  /** Nothing is left to wait for a limit or a decision for. */
  #emptied = deferred<'emptied'>();
  #stopped = false;

  constructor(owner: QueueOwner, cli: ConversationCli, around: Surroundings) {
    this.#owner = owner;
    this.#cli = cli;
    this.#around = around;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** What has not settled, in order. */
  get waiting(): readonly { readonly id: string; readonly input: UserInput }[] {
    return this.#entries.map(({ record: { id, input } }) => ({ id, input }));
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get waitsFor(): 'limited' | 'paused' | undefined {
    return this.#waitsFor;
  }

  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#budgetPrompt;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Writes a message down, and sends it when its time has come. */
  add({ id, input, resend, first }: NewMessage): ManagedTurn {
    const { store } = this.#around;
    const order = first ? this.#orderBeforeWaiting() : store.nextOrder();
    const record: MessageRecord = { id, conversation: this.#owner.name, order, input, state: 'held', resend };
    store.saveMessage(record);
    const entry = this.#insert(record);
    this.work();
    return entry.turn;
  }

  /** Takes up what an earlier manager left. What a CLI may have got is told as lost, unless it may be sent again. */
  restore(): void {
    for (const record of this.#around.store.messagesOf(this.#owner.name)) {
      const entry = this.#insert(record, record.state === 'sent');
      if (record.state === 'sent' && !record.resend) this.#finish(entry, lost());
    }
    this.work();
  }

  /** Cancels what waits; what runs goes on. */
  cancelWaiting(): void {
    for (const entry of this.#entries.filter((each) => each !== this.#running)) {
      this.#finish(entry, { kind: 'cancelled' });
    }
  }

  /** Notes that something came of the running turn. */
  heard(message: WireObject, session: Session): void {
    if (this.#running === undefined) return;
    if (!this.#heard && message.type === 'assistant' && message.error === undefined)
      this.#noteHeard(this.#running);
    if (this.#owner.record.sessionId === undefined && session.id !== undefined) {
      this.#owner.update({ sessionId: session.id });
    }
  }

  /** Resolves when no message is left, or none can be sent. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Sends nothing more, and ends every wait; what waits stays on disk. */
  stop(): void {
    this.#stopped = true;
    this.#stop.resolve('stopped');
    for (const { turn } of this.#entries.filter((entry) => entry !== this.#running))
      turn.settle({ kind: 'closed' });
  }

  /** Works on the messages, if nothing does yet. */
  work(): void {
    if (this.#working !== undefined || this.#stopped) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      this.#owner.changed();
      if (this.#stopped) return;
      // One may have come after the last look.
      if (this.#entries.length > 0) this.work();
      else this.#owner.becameIdle();
    });
  }

  async #work(): Promise<void> {
    while (this.#entries.length > 0) {
      if (this.#stopped || this.#owner.record.failure !== undefined) return;
      await this.#limitOver();
      if (this.#stopped) return;
      const affordable = await this.#affordable();
      // All may have been cancelled meanwhile.
      const entry = this.#entries[0];
      if (affordable && entry !== undefined) await this.#deliver(entry);
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    if (entry.orphaned && (await this.#owner.tookUp(entry.record.id).catch(() => false))) {
      return this.#finish(entry, lost());
    }
    let session: Session | undefined;
    try {
      session = await this.#cli.open();
    } catch (error) {
      return this.#crashed(entry, error, false);
    }
    // Cancelled while it waited for its place, or stopped.
    if (session === undefined || !this.#entries.includes(entry)) return;
    if (this.#stopped) return entry.turn.settle({ kind: 'closed' });
    const again = entry.record.state === 'sent';
    if (!this.#promised(entry)) return this.#diskRefused();
    this.#running = entry;
    this.#heard = false;
    const turn = session.send(entry.record.input, {
      uuid: again ? this.#around.makeUuid() : entry.record.id,
    }) as SessionTurn;
    entry.turn.begin(turn);
    const outcome = await turn.outcome;
    this.#running = undefined;
    await this.#settle(entry, outcome);
  }

  #settle(entry: Entry, outcome: TurnOutcome): Promise<void> | void {
    const { options } = this.#around;
    if (outcome.kind === 'rate-limited' && options.onLimit === 'wait') return this.#wait(entry, outcome);
    if (outcome.kind === 'cli-ended') return this.#crashed(entry, outcome.error, this.#heard, outcome);
    // The manager closes: the message stays on disk, and the next one decides.
    if (outcome.kind === 'closed' && this.#stopped) return entry.turn.settle(outcome);
    if (outcome.result !== undefined) this.#owner.update({ crashes: 0 });
    return this.#finish(entry, outcome);
  }

  /** The message is over. */
  #finish(entry: Entry, outcome: TurnOutcome): void {
    const { store, now } = this.#around;
    this.#entries = this.#entries.filter((each) => each !== entry);
    this.#owner.countUsage();
    this.#owner.update({ usedAt: now() });
    store.dropMessage(this.#owner.name, entry.record.id);
    this.#owner.turnEnded(entry.record.id);
    entry.turn.settle(outcome);
    this.#owner.emit('turn', { messageId: entry.record.id, outcome });
    if (this.#entries.length > 0) return;
    this.#cli.leaveLine();
    this.#emptied.resolve('emptied');
    this.#emptied = deferred();
  }

  /** The model is at work on it: sent again, it would take effect twice. */
  #noteHeard(entry: Entry): void {
    this.#heard = true;
    entry.record = { ...entry.record, resend: false };
    this.#around.store.noteMessage(entry.record);
  }

  /** A usage limit: the message waits for its end without a CLI. */
  async #wait(entry: Entry, outcome: TurnOutcome & { readonly kind: 'rate-limited' }): Promise<void> {
    const { now, random, options } = this.#around;
    const end = limitEnd(outcome) ?? now() + UNKNOWN_LIMIT_MS;
    const limitUntil = Math.max(end, now()) + random() * options.limitSpreadMs;
    this.#owner.update({ limitUntil });
    const goesOn = this.#heard ? { input: GO_ON, resend: true } : {};
    entry.record = { ...entry.record, ...goesOn, state: 'sent' };
    this.#around.store.noteMessage(entry.record);
    await this.#cli.park();
  }

  async #limitOver(): Promise<void> {
    for (;;) {
      const { limitUntil } = this.#owner.record;
      const left = (limitUntil ?? 0) - this.#around.now();
      if (limitUntil === undefined) return;
      if (left <= 0) return this.#owner.update({ limitUntil: undefined });
      this.#become('limited');
      await this.#pause(left);
      this.#become(undefined);
      if (this.#stopped || this.#entries.length === 0) return;
    }
  }

  /** Asks what to do about a budget that is spent; says whether the message may be sent. */
  async #affordable(): Promise<boolean> {
    const { name, record } = this.#owner;
    const breach = this.#around.spending.breach({ name, owner: record.owner }, record.raisedUsd);
    if (breach === undefined) return true;
    await this.#cli.park();
    const prompt = new BudgetPrompt(name, breach);
    this.#budgetPrompt = prompt;
    this.#become('paused');
    this.#owner.emit('budget', { prompt });
    const decision = await Promise.race([prompt.decided, this.#stop.promise, this.#emptied.promise]);
    this.#budgetPrompt = undefined;
    this.#become(undefined);
    if (decision === 'stopped' || decision === 'emptied') return false;
    if (decision.kind === 'raise') {
      this.#owner.update({ raisedUsd: (record.raisedUsd ?? 0) + decision.byUsd });
      return false;
    }
    if (decision.kind === 'stop') {
      const message = `The budget of ${breach.limitUsd} USD (${breach.scope}) is spent; nothing was sent.`;
      for (const entry of this.#entries) this.#finish(entry, { kind: 'budget', by: 'host', message });
      return false;
    }
    return true;
  }

  /** Its CLI ended, or did not start. */
  async #crashed(entry: Entry, error: unknown, heard: boolean, outcome?: TurnOutcome): Promise<void> {
    const { code } = error as { readonly code?: string };
    const crashes = this.#owner.record.crashes + 1;
    this.#owner.update({ crashes });
    const failed = crashes >= MAX_CRASHES || (code !== undefined && LASTING.has(code));
    if (failed) return this.#fail(error);
    if (heard || !entry.record.resend || entry.turn.stopAsked) {
      this.#finish(entry, outcome ?? { kind: 'cli-ended', error: asError(error) });
      return;
    }
    const { random } = this.#around;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 1));
    await this.#pause(pause * (0.5 + random() / 2));
  }

  /** Somebody has to act. Everything that waits is told so. */
  #fail(error: unknown): void {
    const stderr = (error as { readonly stderrTail?: string }).stderrTail ?? '';
    this.#owner.update({ failure: { message: errorText(error), stderr, at: this.#around.now() } });
    for (const entry of this.#entries) this.#finish(entry, { kind: 'cli-ended', error: asError(error) });
    this.#owner.changed();
  }

  #pause(ms: number): Promise<unknown> {
    const over = deferred<void>();
    const callOff = this.#around.clock.after(ms, () => over.resolve());
    return Promise.race([over.promise, this.#stop.promise, this.#emptied.promise]).finally(callOff);
  }

  #become(waitsFor: 'limited' | 'paused' | undefined): void {
    this.#waitsFor = waitsFor;
    this.#owner.changed();
  }

  /** Writes down that a CLI is about to get it; says whether the disk took that. */
  #promised(entry: Entry): boolean {
    const record: MessageRecord = { ...entry.record, state: 'sent' };
    try {
      this.#around.store.saveMessage(record);
    } catch {
      return false;
    }
    entry.record = record;
    return true;
  }

  /** A message that is not on the disk as sent would be sent twice after a crash: it waits until the disk takes it. */
  async #diskRefused(): Promise<void> {
    const message = `The disk is full: messages of the conversation ${this.#owner.name} wait.`;
    this.#owner.emit('diagnostic', { diagnostic: { code: 'STORE_FULL', message } });
    await this.#pause(DISK_PAUSE_MS);
  }

  #insert(record: MessageRecord, orphaned = false): Entry {
    const entry: Entry = {
      record,
      orphaned,
      turn: new ManagedTurn(record.id, (outcome) => this.#takeBack(entry, outcome)),
    };
    this.#entries = [...this.#entries, entry].sort((one, other) => one.record.order - other.record.order);
    return entry;
  }

  #takeBack(entry: Entry, outcome: TurnOutcome): boolean {
    if (this.#stopped || !this.#entries.includes(entry) || entry === this.#running) return false;
    this.#finish(entry, outcome);
    return true;
  }

  /** A place between what runs and the first that waits. */
  #orderBeforeWaiting(): number {
    const waiting = this.#entries.find((entry) => entry !== this.#running);
    if (waiting === undefined) return this.#around.store.nextOrder();
    const before = this.#running?.record.order ?? waiting.record.order - 1;
    return (before + waiting.record.order) / 2;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A message that a CLI may have got before the host ended. */
function lost(): TurnOutcome {
  const message = 'The host ended while this message was under way; what became of it is not known.';
  return { kind: 'cli-ended', error: new CoxswainError('CLI_ENDED', message) };
}
