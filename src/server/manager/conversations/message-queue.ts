import { viewOutcome } from '../../../entry/remote/outcome-view.js';
import type { Session } from '../../../host/session/session.js';
import { isLoginRenewal, type TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { SessionTurn, Turn, TurnReceipt } from '../../../host/session/turns/turn.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { fateOf } from '../../conversation/message-fate.js';
import { LimitHold } from '../limits/limit-hold.js';
import { BudgetGate } from '../money/budget-gate.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { MessageRecord } from '../store/record.js';
import type { ConversationCli } from './conversation-cli.js';
import { asError, isLasting, type LostOutcome, lost, lostCall, pauseAfter, untold } from './crashes.js';
import { deferredCall, type StoredCall } from './deferred-calls.js';
import { DeferredTurn } from './deferred-turn.js';
import { ManagedTurn } from './managed-turn.js';
import { type Entry, hasBegun, MessageList, type NewMessage } from './message-list.js';
import type { QueueOwner } from './queue-owner.js';
import { QueueWaits, type WaitsFor } from './queue-waits.js';
import { queuedEvent } from './queued-message.js';
import type { Surroundings } from './surroundings.js';
import { UsageLimit } from './usage-limit.js';

/** How long to leave a disk alone that refused a write. */
const DISK_PAUSE_MS = 5_000;
/** How long a message waits that may not be handed over; usually its conversation ends here before. */
const HAND_PAUSE_MS = 1_000;
/** How long a message waits while another CLI renews the login: one that was killed loses its lock in this time. */
const RENEWAL_PAUSE_MS = 15_000;
/** After part of a turn was received, resending its message would do the work twice. */
const GO_ON = 'Continue.';
/** How messages end that no turn has picked up. */
const UNSENT: ReadonlySet<TurnOutcome['kind']> = new Set([
  'cancelled',
  'closed',
  'cli-ended',
  'unknown',
  'error',
  'budget',
]);

/**
 * The owner of a conversation's messages: sent one at a time, each when the previous one has settled; messages that
 * join are handed over while a turn is running. What it decides is stored and appended to the log before it is done.
 */
export class MessageQueue {
  readonly #owner: QueueOwner;
  readonly #cli: ConversationCli;
  readonly #around: Surroundings;
  readonly #messages = new MessageList();
  #working: Promise<void> | undefined;
  /** What to do when the CLI has no more messages, before the next one is sent. */
  #afterwards: (() => Promise<unknown>) | undefined;
  /** A message joins the running turn as soon as that is recorded. */
  #joining: Promise<void> | undefined;
  readonly #waits: QueueWaits;
  readonly #budget: BudgetGate;
  readonly #limit: UsageLimit;
  readonly #hold: LimitHold;
  /** What continues after a deferred call. */
  readonly deferred: DeferredTurn;

  constructor(owner: QueueOwner, cli: ConversationCli, around: Surroundings) {
    this.#owner = owner;
    this.#cli = cli;
    this.#around = around;
    this.#waits = new QueueWaits(around.clock, () => owner.changed());
    this.#budget = new BudgetGate(owner, around, this.#waits);
    this.#limit = new UsageLimit(owner, around, this.#waits);
    this.#hold = new LimitHold(owner, around, this.#waits);
    this.deferred = new DeferredTurn(owner.kept, this.#waits);
  }

  get length(): number {
    return this.#messages.all.length;
  }

  /** What has not settled, in order. */
  get unsettled(): readonly Pick<Entry, 'record' | 'turn'>[] {
    return this.#messages.all;
  }

  get isRunning(): boolean {
    return this.#messages.running.size > 0;
  }

  /** Whether it is working; waiting for something without a CLI does not count. */
  get isBusy(): boolean {
    return this.length > 0 && this.#waits.waitsFor === undefined;
  }

  get waitsFor(): WaitsFor | undefined {
    return this.#waits.waitsFor;
  }

  /** Until when its messages wait for a usage window that is nearly full. */
  get heldUntil(): number | undefined {
    return this.#hold.until;
  }

  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#budget.prompt;
  }

  get stopped(): boolean {
    return this.#waits.stopped;
  }

  /** Whether the next manager continues with what is left when this one stops. */
  get isLeft(): boolean {
    return this.#waits.leaves && this.#owner.mayWait;
  }

  /** Whether a message has not settled. */
  has(uuid: string): boolean {
    return this.unsettled.some(({ record }) => record.id === uuid);
  }

  /** Cancels a message that has not started; returns whether that worked. */
  async takeBack(uuid: string): Promise<boolean> {
    const entry = this.unsettled.find(({ record }) => record.id === uuid);
    return (await entry?.turn.cancel()) ?? false;
  }

  /** Stores a message, and sends it when its turn comes. */
  add({ first, ...message }: NewMessage): ManagedTurn {
    const { store } = this.#around;
    const order = (first ? this.#messages.orderBeforeWaiting() : undefined) ?? store.nextOrder();
    // Usually nothing is ahead of it: then it is written once.
    const state = this.length === 0 && this.#isFree && this.#hold.isOpen ? 'sent' : 'held';
    const record: MessageRecord = { ...message, conversation: this.#owner.name, order, state };
    store.saveMessage(record);
    const entry = this.#insert(record);
    this.#owner.append(queuedEvent(record));
    this.work();
    this.#handOver();
    return entry.turn;
  }

  /**
   * Takes over what an earlier manager left. Messages that a CLI may have received are reported as lost,
   * unless they may be resent.
   */
  restore(): void {
    for (const record of this.#around.store.messagesOf(this.#owner.name)) {
      this.#insert(record, record.state === 'sent');
    }
    // Lets the caller subscribe before anything is reported.
    setImmediate(() => this.work());
  }

  /** Cancels waiting messages, except one; the running one continues. */
  cancelWaiting(except?: ManagedTurn): void {
    for (const entry of this.#messages.waiting)
      if (entry.turn !== except) this.#withdraw(entry, { kind: 'cancelled' });
  }

  /** Records that the CLI has responded to the running turn. */
  heard(message: WireObject, session: Session): void {
    const { running } = this.#messages;
    if (running.size === 0) return;
    if (message.type === 'assistant' && message.error === undefined)
      for (const entry of running)
        if (!entry.heard && (running.size === 1 || hasBegun(entry))) this.#noteHeard(entry);
    const { sessionId, givenId } = this.#owner.record;
    // A CLI may continue under another id.
    const isNews = sessionId === undefined || (givenId === undefined && sessionId !== session.id);
    if (session.id !== undefined && isNews) this.#owner.update({ sessionId: session.id });
  }

  /** Resolves when no message is left, or none can be sent. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Resolves when it is not working: the same, or when it waits for something without a CLI. */
  async quiet(): Promise<void> {
    if (this.isBusy) await Promise.race([this.#working, this.#waits.untilWaiting]);
  }

  /** Resolves when no CLI has any of its messages: each is settled, or waits for the next CLI. */
  returned(): Promise<void> {
    return this.#messages.returned();
  }

  /** Sends nothing more, and ends every wait; waiting messages are left for the next manager, unless they are dropped. */
  stop(how?: 'left' | 'dropped'): void {
    this.#waits.stop(how);
    for (const entry of this.#messages.waiting) this.#leave(entry);
  }

  /** Processes the messages, unless that is already running. */
  work(): void {
    if (this.#working !== undefined || this.#waits.stopped) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      this.#owner.changed();
      if (this.#waits.stopped) return;
      // A message may have arrived after the last check; those of a failed conversation wait.
      if (this.length > 0 && this.#owner.record.failure === undefined) this.work();
      else this.#owner.becameIdle();
    });
  }

  async #work(): Promise<void> {
    while (this.length > 0) {
      if (this.#waits.stopped || this.#owner.record.failure !== undefined) return;
      await this.#limit.over(() => this.length === 0);
      if (this.#waits.stopped || (await this.#isHeld())) continue;
      const next = this.#messages.all[0]?.record.id ?? '';
      const budget = await this.#budget.pass(next, this.#cli.session !== undefined);
      // A message may be about to join a turn that is over by now.
      if (this.#joining !== undefined) await this.#joining;
      // All may have been cancelled meanwhile.
      const [entry] = this.#messages.all;
      if (typeof budget === 'object') this.#finishAll({ kind: 'budget', by: 'host', ...budget });
      else if (budget !== 'ask' && entry !== undefined) await this.#deliver(entry, budget === 'once');
      this.#budget.release();
    }
  }

  /** Whether a message had to wait for a usage window, or is over because it must not; what has begun goes on. */
  async #isHeld(): Promise<boolean> {
    const [entry] = this.#messages.all;
    const isNew = entry !== undefined && (entry.fresh || entry.record.state === 'held');
    const refusal = isNew ? this.#hold.refusal() : undefined;
    if (!isNew || refusal === undefined) return false;
    const onLimit = entry.record.onLimit ?? this.#around.options.onLimit;
    if (onLimit === 'fail') this.#finish(entry, refusal);
    else await this.#hold.over();
    return true;
  }

  async #deliver(entry: Entry, beyondBudget: boolean): Promise<void> {
    if (entry.record.state === 'deferred') return this.#deliverAnswer(entry);
    const mayBeLost = entry.orphaned && entry.record.state === 'sent';
    const over = mayBeLost ? await this.#overBefore(entry) : undefined;
    if (over !== undefined) return this.#lost(entry, over);
    // No CLI knows its id.
    if (mayBeLost) this.#note(entry, { state: 'held' });
    let session: Session | undefined;
    try {
      session = await this.#cli.open();
    } catch (error) {
      // Ended by the manager, which is closing: the message stays for the next one.
      if (this.#waits.stopped) return this.#leave(entry);
      this.#crashed(entry, error);
      return this.#untilSettled();
    }
    // Cancelled while waiting for a slot, or stopped, or another one is to go first.
    if (session === undefined || this.#messages.all[0] !== entry) return;
    if (this.#waits.stopped) return this.#leave(entry);
    if (!beyondBudget && !this.#budget.confirm()) return;
    if (!this.#noteSending(entry)) return this.#diskRefused();
    return this.#start(entry, session);
  }

  /** The outcome of a message that an earlier host gave to a CLI; undefined if it may be sent again. */
  async #overBefore({ record: { id, sentAs = id, resend } }: Entry): Promise<LostOutcome | undefined> {
    let inTranscript: boolean | undefined;
    let problem: unknown;
    try {
      inTranscript = await this.#owner.tookUp(sentAs);
    } catch (error) {
      problem = error;
    }
    const fate = fateOf({ handed: true, started: false, inTranscript, resend, isCut: false });
    if (fate === 'again') return undefined;
    return fate === 'unknown' ? untold(problem) : lost();
  }

  /** Records that a CLI is about to get a message; returns whether the disk accepted that. */
  #noteSending(entry: Entry): boolean {
    if (!entry.fresh && !this.#noteSentAgain(entry)) return false;
    entry.fresh = false;
    const { id: uuid, sentAs, resend } = entry.record;
    const as = sentAs === undefined ? {} : { as: sentAs };
    this.#owner.append({ kind: 'handed', uuid, ...as, ...(resend ? {} : { resend }) });
    return true;
  }

  #noteSentAgain(entry: Entry): boolean {
    // A resumed CLI drops an id that it knows.
    const sentAs = entry.record.state === 'held' ? {} : { sentAs: this.#around.makeUuid() };
    const record: MessageRecord = { ...entry.record, state: 'sent', ...sentAs };
    try {
      this.#around.store.saveMessage(record);
    } catch {
      // The caller tries again later.
      return false;
    }
    entry.record = record;
    return true;
  }

  async #start(entry: Entry, session: Session): Promise<void> {
    if (this.#owner.whenStored !== undefined && !(await this.#isRecorded(entry, session))) return;
    this.#send(entry, session);
    this.#handOver();
    await this.#untilSettled();
  }

  /** Whether the first message may be written to the CLI; false if it has to wait, or was cancelled. */
  async #isRecorded(entry: Entry, session: Session): Promise<boolean> {
    const mayGo = await this.#mayGo();
    if (this.#messages.all[0] !== entry || this.#cli.session !== session) return false;
    if (!mayGo) await this.#waits.pause(HAND_PAUSE_MS);
    return mayGo;
  }

  /** Whether whoever has the conversation next can read what was recorded, and that is not somebody else already. */
  async #mayGo(): Promise<boolean> {
    const mayGo = (await this.#owner.whenStored?.()) ?? true;
    return mayGo && !this.#waits.stopped;
  }

  /** Gives the CLI messages that need not wait for the end of the running turn. */
  #handOver(): void {
    const { session } = this.#cli;
    if (session === undefined || !this.isRunning || this.#joining !== undefined) return;
    for (const entry of this.#messages.waiting) {
      const { joins, state } = entry.record;
      const mayJoin = joins === true && (state === 'held' || state === 'again');
      if (!mayJoin || !this.#isFree || !this.#noteSending(entry)) return;
      if (this.#owner.whenStored !== undefined) {
        this.#joining = this.#join(entry, session);
        return;
      }
      this.#send(entry, session);
    }
  }

  /** Records that a message joins the running turn, and lets it; if that turn is over by then, it waits for its own. */
  async #join(entry: Entry, session: Session): Promise<void> {
    const mayGo = await this.#mayGo();
    this.#joining = undefined;
    const isFree = this.isRunning && this.#isFree && this.#cli.session === session;
    if (!this.#messages.waiting.includes(entry)) return this.#handOver();
    if (!mayGo || !isFree) return this.#note(entry, { state: 'held' });
    this.#send(entry, session);
    this.#handOver();
  }

  /** Whether the CLI could take a message now: it is running, has met no limit, and there is budget left. */
  get #isFree(): boolean {
    if (this.#waits.stopped || this.#afterwards !== undefined) return false;
    return this.#cli.session?.state === 'ready' && this.#budget.isOpen;
  }

  #send(entry: Entry, session: Session): void {
    const { id, sentAs = id, input, placed } = entry.record;
    try {
      void this.#run(entry, session.send(input, { ...placed, uuid: sentAs }));
    } catch (error) {
      const isInvalid = errorCode(error) === 'MESSAGE_INVALID';
      if (isInvalid) this.#finish(entry, { kind: 'error', message: errorText(error) });
      else this.#crashed(entry, error);
    }
  }

  async #run(entry: Entry, turn: Turn): Promise<void> {
    if (this.isRunning) this.#budget.joined();
    this.#messages.began(entry);
    entry.turn.begin(turn as SessionTurn);
    void turn.began.then((receipt) => this.#noteBegun(entry, receipt));
    const outcome = await turn.outcome;
    this.#messages.ended(entry);
    if (this.#messages.has(entry)) this.#settle(entry, outcome);
  }

  #noteBegun(entry: Entry, receipt: TurnReceipt): void {
    if ((receipt !== 'started' && receipt !== 'merged') || !this.#messages.has(entry)) return;
    entry.begun = true;
    this.#owner.append({ kind: 'begun', uuid: entry.record.id });
  }

  /** Waits until the CLI has no more messages, and does what is necessary then. */
  async #untilSettled(): Promise<void> {
    await this.returned();
    this.#budget.release();
    const afterwards = this.#afterwards;
    this.#afterwards = undefined;
    await afterwards?.();
  }

  /** The next CLI makes a deferred call on its own, in an unrequested turn. */
  async #deliverAnswer(entry: Entry): Promise<void> {
    const { id } = entry.record;
    if (this.#owner.kept.isDeferred(id)) this.#budget.release();
    if (await this.deferred.waited(id)) return;
    this.deferred.expect();
    try {
      // Cancelled while waiting for a slot, or stopped.
      if ((await this.#cli.open()) === undefined || !this.#messages.has(entry)) return this.deferred.forget();
    } catch (error) {
      this.deferred.forget();
      if (this.#waits.stopped) return;
      this.#crashed(entry, error);
      return this.#untilSettled();
    }
    const turn = await this.deferred.taken(id);
    if (turn === 'unused') return this.#tellAnswer(entry);
    // The CLI may be making the call. One that cannot be interrupted makes it; its turn is over here.
    if (turn === 'withdrawn') await this.#cli.session?.interrupt().catch(() => {});
    if (typeof turn === 'object') void this.#run(entry, turn);
    if (turn === 'lost') {
      entry.heard = true;
      this.#crashed(entry, lostCall());
    }
    return this.#untilSettled();
  }

  /** The CLI did not come back to the call: the model is told the answer, as after a crash. */
  #tellAnswer(entry: Entry): void {
    const input = this.#owner.kept.deferredText(entry.record.id) ?? GO_ON;
    this.#note(entry, { input, state: 'again' });
  }

  /** A call in the turn waits for an answer, without a CLI. */
  #deferCall(entry: Entry, call: StoredCall): void {
    this.#owner.countUsage();
    this.#owner.kept.keepDeferred(call, entry.record.id);
    this.#note(entry, { state: 'deferred' });
    this.#afterwards = () => this.#cli.park();
  }

  #settle(entry: Entry, outcome: TurnOutcome): void {
    const { options } = this.#around;
    const onLimit = entry.turn.stopAsked ? 'fail' : (entry.record.onLimit ?? options.onLimit);
    const call = this.#owner.defers ? deferredCall(outcome.result) : undefined;
    if (call !== undefined) this.#deferCall(entry, call);
    else if (outcome.kind === 'rate-limited' && onLimit === 'wait') this.#wait(entry, outcome);
    else if (awaitsLogin(entry, outcome)) this.#awaitLogin(entry);
    else if (outcome.kind === 'cli-ended') this.#crashed(entry, outcome.error, outcome);
    else if (outcome.kind === 'closed' && this.#waits.stopped) this.#leave(entry);
    else this.#conclude(entry, outcome);
  }

  /** Its turn came to an end of its own. */
  #conclude(entry: Entry, outcome: TurnOutcome): void {
    if (outcome.result !== undefined && this.#owner.record.crashes > 0) this.#owner.update({ crashes: 0 });
    if (outcome.kind === 'success') this.#limit.passed();
    this.#finish(entry, outcome);
  }

  /** The manager is closing: the message stays on disk, and the next one decides, if there is one for it. */
  #leave(entry: Entry): void {
    if (!this.#messages.has(entry)) return;
    if (this.isLeft) entry.turn.settle({ kind: 'closed' });
    else this.#finish(entry, { kind: 'closed' });
  }

  /** An earlier host may have run it: it is not sent twice. */
  #lost(entry: Entry, outcome: LostOutcome): void {
    const text = outcome.kind === 'cli-ended' ? outcome.error.message : outcome.message;
    this.#owner.append({ kind: 'note', level: 'warning', code: 'MESSAGE_LOST', text });
    this.#finish(entry, outcome);
  }

  /** The message is over. */
  #finish(entry: Entry, outcome: TurnOutcome): void {
    const { store, now } = this.#around;
    const { id: uuid } = entry.record;
    this.#messages.remove(entry);
    store.values.together(() => {
      this.#owner.countUsage();
      store.touch(this.#owner.record, now());
      store.dropMessage(this.#owner.name, uuid);
    });
    this.#owner.turnEnded(uuid);
    if (!entry.begun && UNSENT.has(outcome.kind)) this.#owner.append({ kind: 'unqueued', uuid });
    this.#owner.append({ kind: 'settled', uuid, outcome: viewOutcome(outcome) });
    entry.turn.settle(outcome);
    this.#owner.emit('turn', { messageId: uuid, outcome });
    if (this.length > 0) return;
    this.#cli.leaveLine();
    this.#waits.emptied();
  }

  #finishAll(outcome: TurnOutcome): void {
    for (const entry of this.#messages.all) this.#withdraw(entry, outcome);
  }

  /** A message is over, and its turn never ran to its end. */
  #withdraw(entry: Entry, outcome: TurnOutcome): void {
    this.deferred.withdraw(entry.record.id);
    this.#finish(entry, outcome);
  }

  /** The model is working on it: sent again, it would take effect twice. */
  #noteHeard(entry: Entry): void {
    entry.heard = true;
    this.#note(entry, { resend: false });
  }

  /** A usage limit: the message waits for its end without a CLI. */
  #wait(entry: Entry, outcome: TurnOutcome & { readonly kind: 'rate-limited' }): void {
    // All messages that the CLI had met the same limit.
    if (this.#afterwards === undefined) this.#limit.met(outcome);
    this.#keepForNextCli(entry);
    this.#afterwards = () => this.#cli.park();
  }

  /** Another CLI renews the login: it is sent once more, to a CLI that reads the new one. */
  #awaitLogin(entry: Entry): void {
    entry.awaitedLogin = true;
    this.#keepForNextCli(entry);
    this.#afterwards ??= async () => {
      await this.#cli.park();
      await this.#waits.pause(RENEWAL_PAUSE_MS);
    };
  }

  #keepForNextCli(entry: Entry): void {
    this.#owner.countUsage();
    const goesOn = entry.heard ? { input: GO_ON, resend: true } : {};
    this.#note(entry, { ...goesOn, state: 'again' });
  }

  /** Its CLI ended, or did not start. */
  #crashed(entry: Entry, error: unknown, outcome?: TurnOutcome): void {
    // All messages it had are notified; this counts as one crash.
    const crashes = this.#owner.record.crashes + (this.#afterwards === undefined ? 1 : 0);
    this.#owner.update({ crashes });
    if (isLasting(error, crashes)) {
      this.#fail(error);
      return;
    }
    const pause = pauseAfter(crashes, this.#around.random);
    this.#afterwards ??= async () => this.length > 0 && this.#waits.pause(pause);
    if (entry.heard || !entry.record.resend || entry.turn.stopAsked)
      this.#finish(entry, outcome ?? { kind: 'cli-ended', error: asError(error) });
  }

  /** Someone has to act. Report that to everything that is waiting. */
  #fail(error: unknown): void {
    const stderr = (error as { readonly stderrTail?: string }).stderrTail ?? '';
    this.#owner.update({ failure: { message: errorText(error), stderr, at: this.#around.now() } });
    this.#finishAll({ kind: 'cli-ended', error: asError(error) });
    this.#owner.changed();
  }

  /** A message not stored as sent would be sent twice after a crash: it waits until the disk accepts it. */
  async #diskRefused(): Promise<void> {
    const message = `The disk is full: messages of the conversation ${this.#owner.name} wait.`;
    this.#owner.emit('diagnostic', { diagnostic: { code: 'STORE_FULL', message } });
    await this.#waits.pause(DISK_PAUSE_MS);
  }

  #note(entry: Entry, change: Partial<MessageRecord>): void {
    entry.record = { ...entry.record, ...change };
    this.#around.store.noteMessage(entry.record);
  }

  #insert(record: MessageRecord, orphaned = false): Entry {
    const turn = new ManagedTurn(record.id, (outcome) => this.#takeBack(entry, outcome));
    const fresh = record.state === 'sent' && !orphaned;
    const entry: Entry = { record, orphaned, fresh, turn, begun: false, heard: false, awaitedLogin: false };
    this.#messages.insert(entry);
    return entry;
  }

  #takeBack(entry: Entry, outcome: TurnOutcome): boolean {
    const { running } = this.#messages;
    if (this.#waits.stopped || !this.#messages.has(entry) || running.has(entry)) return false;
    this.#withdraw(entry, outcome);
    return true;
  }
}

/** Another CLI was renewing the login, and nobody wants the turn stopped: once for each message. */
function awaitsLogin({ awaitedLogin, turn }: Entry, outcome: TurnOutcome): boolean {
  return isLoginRenewal(outcome) && !awaitedLogin && !turn.stopAsked;
}
