import type { Session } from '../../../host/session/session.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { SessionTurn, Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import { BudgetGate } from '../money/budget-gate.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { ConversationRecord, MessageRecord } from '../store/record.js';
import type { ConversationCli } from './conversation-cli.js';
import { asError, isLasting, lost, lostCall, pauseAfter } from './crashes.js';
import { deferredCall, type StoredCall } from './deferred-calls.js';
import type { KeptPrompts } from './kept-prompts.js';
import { ManagedTurn } from './managed-turn.js';
import { QueueWaits, type WaitsFor } from './queue-waits.js';
import type { Surroundings } from './surroundings.js';

/** What {@link MessageQueue} asks of its conversation. */
export interface QueueOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  changed(): void;
  becameIdle(): void;
  turnEnded(messageId: string): void;
  countUsage(): void;
  readonly kept: KeptPrompts;
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

/** How long a disk that refused to write is left alone. */
const DISK_PAUSE_MS = 5_000;
/** How long a limit is waited for whose end the CLI does not tell. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;
/** How long a resumed CLI may take to come back to a deferred call. */
const TAKE_UP_MS = 30_000;
/** After part of a turn was heard, sending its message again would do the work twice. */
const GO_ON = 'Continue.';

/** The messages of one conversation: sent one after the other, each until it has settled. */
export class MessageQueue {
  readonly #owner: QueueOwner;
  readonly #cli: ConversationCli;
  readonly #around: Surroundings;
  #entries: Entry[] = [];
  #working: Promise<void> | undefined;
  #running: Entry | undefined;
  #heard = false;
  readonly #waits: QueueWaits;
  readonly #budget: BudgetGate;
  #answer = deferred<'answered'>();
  /** The turn that goes on behind a deferred call. */
  #expected: Deferred<Turn | 'lost'> | undefined;

  constructor(owner: QueueOwner, cli: ConversationCli, around: Surroundings) {
    this.#owner = owner;
    this.#cli = cli;
    this.#around = around;
    this.#waits = new QueueWaits(around.clock, () => owner.changed());
    this.#budget = new BudgetGate(owner, around.spending, this.#waits);
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

  get waitsFor(): WaitsFor | undefined {
    return this.#waits.waitsFor;
  }

  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#budget.prompt;
  }

  get stopped(): boolean {
    return this.#waits.stopped;
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
      this.#insert(record, record.state === 'sent');
    }
    // Whoever opened the manager is to listen before anything is told.
    setImmediate(() => this.work());
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
    this.#waits.stop();
    for (const { turn } of this.#entries.filter((entry) => entry !== this.#running))
      turn.settle({ kind: 'closed' });
  }

  /** A deferred call has its answer. */
  answered(): void {
    this.#answer.resolve('answered');
    this.#answer = deferred();
  }

  /** Its CLI ended by itself. */
  lost(): void {
    this.#expected?.resolve('lost');
  }

  /** Takes a turn that nobody asked for, if it is the one that goes on behind a deferred call. */
  takeUnasked(turn: Turn): boolean {
    this.#expected?.resolve(turn);
    return this.#expected !== undefined;
  }

  /** Works on the messages, if nothing does yet. */
  work(): void {
    if (this.#working !== undefined || this.#waits.stopped) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      this.#owner.changed();
      if (this.#waits.stopped) return;
      // One may have come after the last look.
      if (this.#entries.length > 0) this.work();
      else this.#owner.becameIdle();
    });
  }

  async #work(): Promise<void> {
    while (this.#entries.length > 0) {
      if (this.#waits.stopped || this.#owner.record.failure !== undefined) return;
      await this.#limitOver();
      if (this.#waits.stopped) return;
      const budget = await this.#budget.pass(() => this.#cli.park());
      // All may have been cancelled meanwhile.
      const entry = this.#entries[0];
      if (typeof budget === 'object') this.#finishAll({ kind: 'budget', by: 'host', ...budget });
      else if (budget === 'go' && entry !== undefined) await this.#deliver(entry);
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    const { id, sentAs = id } = entry.record;
    if (entry.record.state === 'deferred') return this.#deliverAnswer(entry);
    const mayBeLost = entry.orphaned && entry.record.state === 'sent';
    const isLost = () => !entry.record.resend || this.#owner.tookUp(sentAs).catch(() => false);
    if (mayBeLost && (await isLost())) return this.#finish(entry, lost());
    let session: Session | undefined;
    try {
      session = await this.#cli.open();
    } catch (error) {
      return this.#crashed(entry, error, false);
    }
    // Cancelled while it waited for its place, or stopped.
    if (session === undefined || !this.#entries.includes(entry)) return;
    if (this.#waits.stopped) return entry.turn.settle({ kind: 'closed' });
    // A resumed CLI drops an id that it knows.
    const uuid = entry.record.state === 'held' ? id : this.#around.makeUuid();
    if (!this.#promised(entry, uuid)) return this.#diskRefused();
    this.#heard = false;
    await this.#run(entry, session.send(entry.record.input, { uuid }));
  }

  async #run(entry: Entry, turn: Turn): Promise<void> {
    this.#running = entry;
    entry.turn.begin(turn as SessionTurn);
    const outcome = await turn.outcome;
    this.#running = undefined;
    await this.#settle(entry, outcome);
  }

  /** The next CLI makes a deferred call by itself, in a turn that nobody asked for. */
  async #deliverAnswer(entry: Entry): Promise<void> {
    if (this.#owner.kept.isDeferred(entry.record.id)) {
      await this.#waits.for(this.#answer.promise, 'deferred');
      return;
    }
    const expected = deferred<Turn | 'lost'>();
    this.#expected = expected;
    try {
      if ((await this.#cli.open()) === undefined) return;
    } catch (error) {
      return this.#crashed(entry, error, false);
    }
    const soon = await Promise.race([expected.promise, this.#waits.pause(TAKE_UP_MS)]);
    const isUnused = soon === 'over' && this.#owner.kept.deferredText(entry.record.id) !== undefined;
    if (isUnused) return this.#tellAnswer(entry);
    // The call runs, and its turn is heard of when it is done.
    const turn = soon === 'over' ? await this.#waits.for(expected.promise) : soon;
    this.#expected = undefined;
    if (typeof turn === 'object') return this.#run(entry, turn);
    if (turn === 'lost') return this.#crashed(entry, lostCall(), true);
  }

  /** The CLI did not come back to the call: the model is told of the answer, as after a crash. */
  #tellAnswer(entry: Entry): void {
    this.#expected = undefined;
    const input = this.#owner.kept.deferredText(entry.record.id) ?? GO_ON;
    entry.record = { ...entry.record, input, state: 'again' };
    this.#around.store.noteMessage(entry.record);
  }

  /** A call of the turn waits for an answer, without a CLI. */
  async #deferCall(entry: Entry, call: StoredCall): Promise<void> {
    this.#owner.countUsage();
    this.#owner.kept.keepDeferred(call, entry.record.id);
    entry.record = { ...entry.record, state: 'deferred' };
    this.#around.store.noteMessage(entry.record);
    await this.#cli.park();
  }

  #settle(entry: Entry, outcome: TurnOutcome): Promise<void> | void {
    const { options } = this.#around;
    const call = options.defer === undefined ? undefined : deferredCall(outcome.result);
    if (call !== undefined) return this.#deferCall(entry, call);
    if (outcome.kind === 'rate-limited' && options.onLimit === 'wait') return this.#wait(entry, outcome);
    if (outcome.kind === 'cli-ended') return this.#crashed(entry, outcome.error, this.#heard, outcome);
    // The manager closes: the message stays on disk, and the next one decides.
    if (outcome.kind === 'closed' && this.#waits.stopped) return entry.turn.settle(outcome);
    if (outcome.result !== undefined) this.#owner.update({ crashes: 0 });
    return this.#finish(entry, outcome);
  }

  /** The message is over. */
  #finish(entry: Entry, outcome: TurnOutcome): void {
    const { store, now } = this.#around;
    this.#entries = this.#entries.filter((each) => each !== entry);
    this.#owner.countUsage();
    store.touch(this.#owner.record, now());
    store.dropMessage(this.#owner.name, entry.record.id);
    this.#owner.turnEnded(entry.record.id);
    entry.turn.settle(outcome);
    this.#owner.emit('turn', { messageId: entry.record.id, outcome });
    if (this.#entries.length > 0) return;
    this.#cli.leaveLine();
    this.#waits.emptied();
  }

  #finishAll(outcome: TurnOutcome): void {
    for (const entry of this.#entries) this.#finish(entry, outcome);
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
    const end = outcome.endsAt?.getTime() ?? now() + UNKNOWN_LIMIT_MS;
    const limitUntil = Math.max(end, now()) + random() * options.limitSpreadMs;
    this.#owner.update({ limitUntil });
    const goesOn = this.#heard ? { input: GO_ON, resend: true } : {};
    entry.record = { ...entry.record, ...goesOn, state: 'again' };
    this.#around.store.noteMessage(entry.record);
    await this.#cli.park();
  }

  async #limitOver(): Promise<void> {
    for (;;) {
      const { limitUntil } = this.#owner.record;
      const left = (limitUntil ?? 0) - this.#around.now();
      if (limitUntil === undefined) return;
      if (left <= 0) return this.#owner.update({ limitUntil: undefined });
      await this.#waits.pause(left, 'limited');
      if (this.#waits.stopped || this.#entries.length === 0) return;
    }
  }

  /** Its CLI ended, or did not start. */
  async #crashed(entry: Entry, error: unknown, heard: boolean, outcome?: TurnOutcome): Promise<void> {
    const crashes = this.#owner.record.crashes + 1;
    this.#owner.update({ crashes });
    if (isLasting(error, crashes)) return this.#fail(error);
    if (heard || !entry.record.resend || entry.turn.stopAsked) {
      this.#finish(entry, outcome ?? { kind: 'cli-ended', error: asError(error) });
      return;
    }
    await this.#waits.pause(pauseAfter(crashes, this.#around.random));
  }

  /** Somebody has to act. Everything that waits is told so. */
  #fail(error: unknown): void {
    const stderr = (error as { readonly stderrTail?: string }).stderrTail ?? '';
    this.#owner.update({ failure: { message: errorText(error), stderr, at: this.#around.now() } });
    this.#finishAll({ kind: 'cli-ended', error: asError(error) });
    this.#owner.changed();
  }

  /** Writes down that a CLI is about to get it; says whether the disk took that. */
  #promised(entry: Entry, uuid: string): boolean {
    const sentAs = uuid === entry.record.id ? {} : { sentAs: uuid };
    const record: MessageRecord = { ...entry.record, state: 'sent', ...sentAs };
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
    await this.#waits.pause(DISK_PAUSE_MS);
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
    if (this.#waits.stopped || !this.#entries.includes(entry) || entry === this.#running) return false;
    this.#finish(entry, outcome);
    return true;
  }

  /** A place between what runs and the first that waits. */
  #orderBeforeWaiting(): number {
    const begun = this.#entries.find((entry) => entry === this.#running || entry.record.state === 'deferred');
    const waiting = this.#entries.find((entry) => entry !== begun);
    if (waiting === undefined) return this.#around.store.nextOrder();
    const before = begun?.record.order ?? waiting.record.order - 1;
    return (before + waiting.record.order) / 2;
  }
}
