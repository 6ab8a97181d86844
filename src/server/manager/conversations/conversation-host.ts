import type { LogEvent } from '../../../entry/remote/contract.js';
import { permissionModes } from '../../../host/cli/options/cli-options.js';
import type { AnyPrompt, PromptChange } from '../../../host/session/prompts/open-prompts.js';
import type { PromptState } from '../../../host/session/prompts/prompt.js';
import type { Session } from '../../../host/session/session.js';
import type { SettledOptions } from '../../../host/session/turns/settling.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import { type UserInput, userMessage } from '../../../host/session/turns/user-message.js';
import { waitAtMost } from '../../../host/session/turns/wait-at-most.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type CliEnd, type ConversationState, stateWith } from '../../conversation/states.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import { ConversationUsage } from '../money/conversation-usage.js';
import { type Schedule, type ScheduleOptions, scheduleFrom } from '../schedules/schedule.js';
import type { ConversationRecord } from '../store/record.js';
import type { StoredOptions } from '../store/stored-options.js';
import type { WorktreeEnd, WorktreeEndOptions } from '../workspaces/worktree-end.js';
import { ConversationCli } from './conversation-cli.js';
import { ConversationLaunch } from './conversation-launch.js';
import { ConversationReaders } from './conversation-readers.js';
import { ConversationTranscript } from './conversation-transcript.js';
import type { ConversationUser } from './conversation-user.js';
import { DeferredCalls, deferredBy } from './deferred-calls.js';
import { factsOf } from './facts.js';
import { KeptPrompts } from './kept-prompts.js';
import type { ManagedTurn } from './managed-turn.js';
import type { NewMessage } from './message-list.js';
import { MessageQueue } from './message-queue.js';
import { Parking } from './parking.js';
import type { Surroundings } from './surroundings.js';

/** Options for deleting a conversation. */
export interface DeleteOptions extends WorktreeEndOptions {
  /** Also deletes the CLI's transcript. Default: false. */
  readonly transcript?: boolean | undefined;
  /** What to do with its worktree. Default: `keep`. */
  readonly workspace?: WorktreeEnd | undefined;
}

/** How a message is stored. */
interface EnqueueOptions extends Pick<NewMessage, 'joins' | 'onLimit' | 'placed' | 'by'> {
  readonly uuid?: string | undefined;
  readonly resend?: boolean | undefined;
  readonly first?: boolean;
}

/** The parts of a conversation, and how they work together; the manager's view of it. */
export class ConversationHost {
  readonly name: string;
  readonly cli: ConversationCli;
  readonly queue: MessageQueue;
  readonly kept: KeptPrompts;
  readonly launch: ConversationLaunch;
  readonly parking: Parking;
  /** Told about everything after all listeners. */
  user: ConversationUser | undefined;
  readonly #around: Surroundings;
  readonly #usage: ConversationUsage;
  #readers: ConversationReaders | undefined;
  /** The state that was reported last. */
  #told: ConversationState = 'parked';
  /** How many turns its CLI has that nobody asked for. */
  #unasked = 0;

  constructor(name: string, around: Surroundings) {
    this.name = name;
    this.#around = around;
    this.launch = new ConversationLaunch(this, around);
    this.cli = new ConversationCli(this.#cliOwner(), around);
    this.kept = new KeptPrompts({
      record: () => this.record,
      update: (change) => this.update(change),
      tell: (text) => this.#tell(text),
      onNotRepeated: (promptId) => this.#notRepeated(promptId),
      onChange: (change) => this.#keptChanged(change),
      onDeferredAnswer: () => this.queue.deferred.answered(),
    });
    this.queue = new MessageQueue(this, this.cli, around);
    this.parking = new Parking(this.queue, this.cli, around);
    this.#usage = new ConversationUsage(this, around.spending);
  }

  /** Its record on disk. */
  get record(): ConversationRecord {
    const record = this.#around.store.find(this.name);
    if (record === undefined)
      throw new CoxswainError('CONVERSATION_UNKNOWN', `The conversation ${this.name} was deleted.`);
    return record;
  }

  get options(): LaunchOptions {
    return this.launch.options;
  }

  get state(): ConversationState {
    if (this.#told === 'deleted') return 'deleted';
    if (this.record.failure !== undefined) return 'failed';
    const { waitsFor } = this.queue;
    // Its CLI may still be running.
    if (waitsFor === 'paused' || (waitsFor === 'limited' && this.queue.heldUntil !== undefined))
      return waitsFor;
    const { state } = this.cli;
    if (state === 'none') return waitsFor ?? 'parked';
    return stateWith(state, this.#told);
  }

  /** The transcripts of its CLIs. */
  get transcript(): ConversationTranscript {
    return new ConversationTranscript(this);
  }

  /** The login of its CLI, or of the next one. */
  get login(): string {
    return this.launch.login;
  }

  /** Whether it has a message or a turn. */
  get isBusy(): boolean {
    return this.queue.length + this.#unasked > 0;
  }

  get whenStored(): (() => Promise<boolean>) | undefined {
    return this.user?.whenStored;
  }

  get mayWait(): boolean {
    return this.user?.mayWait !== false;
  }

  get facts(): ConversationFacts {
    const { length: messages, heldUntil } = this.queue;
    return factsOf(this.record, { state: this.state, messages, heldUntil });
  }

  /** The open prompts of its running CLI. */
  get cliPrompts(): readonly AnyPrompt[] {
    return this.cli.session?.prompts.open ?? [];
  }

  get readers(): ConversationReaders {
    this.#readers ??= new ConversationReaders();
    return this.#readers;
  }

  /** Whether it defers calls. */
  get defers(): boolean {
    return deferredBy(this.#around.options.defer, this.record.defer) !== undefined;
  }

  /** What defers the calls of its next CLI; undefined if nothing does. */
  get deferredCalls(): DeferredCalls | undefined {
    const { clock, options } = this.#around;
    const wanted = deferredBy(options.defer, this.record.defer);
    const parts = { conversation: this.name, kept: this.kept, clock };
    return wanted === undefined ? undefined : new DeferredCalls({ ...parts, wanted });
  }

  /** Records a change. */
  update(change: Partial<ConversationRecord>): void {
    this.#around.store.note({ ...this.record, ...change });
  }

  /** Sends something at certain times, across restarts; undefined to stop. */
  setSchedule(options: ScheduleOptions | undefined): Schedule | undefined {
    const { schedules, store, now } = this.#around;
    const schedule = options === undefined ? undefined : scheduleFrom(options, now());
    store.save({ ...this.record, schedule });
    if (schedule === undefined) schedules.delete(this.name);
    else schedules.set(this.name, schedule);
    this.append({ kind: 'schedule', schedule: schedule ?? null });
    return schedule;
  }

  /** Goes on with the schedule that it had elsewhere. */
  bringSchedule(schedule: Schedule): void {
    const { schedules, store } = this.#around;
    store.save({ ...this.record, schedule });
    schedules.restore(this.name, schedule);
    schedules.start();
  }

  /** Sends what is due, unless the last message is unsettled. */
  sendScheduled(text: string): void {
    try {
      this.checkUsable();
      if (this.queue.length === 0) return void this.enqueue(text);
      this.skippedSchedule('the previous message is not done.');
    } catch (error) {
      this.skippedSchedule(errorText(error));
    }
  }

  skippedSchedule(why: string): void {
    const message = `The conversation ${this.name} did not get its scheduled message: ${why}`;
    this.emit('diagnostic', { diagnostic: { code: 'SCHEDULE_SKIPPED', message } });
  }

  /** Stores options for later CLIs. */
  keep(options: Pick<StoredOptions, 'model' | 'permissionMode' | 'effort'>): void {
    this.update({ options: { ...this.record.options, ...options } });
  }

  /** Notifies the listeners of the conversation and of the manager. */
  emit(event: string, value: object): void {
    const { listeners } = this.#around;
    const own = this.#readers?.listeners;
    if (own?.has(event) !== true && !listeners.has(event)) return;
    const told = { conversation: this.name, ...value } as never;
    own?.emit(event, told);
    listeners.emit(event, told);
  }

  append(event: LogEvent): void {
    this.user?.append(event);
  }

  /** Reports its state if it has changed. */
  changed(): void {
    this.#become(this.state);
  }

  /** A message is waiting for a budget decision. */
  asksForMoney(prompt: BudgetPrompt): void {
    this.emit('budget', { prompt });
    this.user?.prompted({ prompt, state: 'open' });
    void prompt.decided.then(({ kind }) =>
      this.#decided(prompt, kind === 'withdrawn' ? 'withdrawn' : 'answered'),
    );
  }

  /** Stores a message; it is sent when its turn comes. */
  enqueue(
    input: UserInput,
    { uuid, resend = true, first = false, ...options }: EnqueueOptions = {},
  ): ManagedTurn {
    const { makeUuid, now, store } = this.#around;
    const { uuid: id } = userMessage(input, { uuid }, makeUuid);
    if (store.hasMessage(id)) {
      throw new CoxswainError('MESSAGE_INVALID', `Message ${id} was already sent and is still in progress.`);
    }
    const turn = this.queue.add({ ...options, id, input, resend, first });
    if (this.queue.isBusy) this.parking.callOff();
    store.touch(this.record, now());
    return turn;
  }

  /** The session of its CLI; starts one if necessary. */
  wake(options: SettledOptions = {}): Promise<Session> {
    return this.#atMost(this.#opened(), options);
  }

  /** The session of its CLI, once that has started; undefined without one. */
  async started(options: SettledOptions = {}): Promise<Session | undefined> {
    const { cli } = this;
    return cli.isTaken
      ? this.#atMost(
          cli.open().catch(() => undefined),
          options,
        )
      : undefined;
  }

  /** A CLI that nobody waits for any more becomes idle like any other. */
  async #opened(): Promise<Session> {
    this.checkUsable();
    const session = await this.cli.open();
    if (session === undefined) throw closed(this.name);
    this.parking.becameIdle();
    return session;
  }

  checkUsable(): void {
    const { failure } = this.record;
    if (failure !== undefined) {
      throw new CoxswainError(
        'CONVERSATION_FAILED',
        `The conversation ${this.name} has failed: ${failure.message} Call retry() to try again.`,
      );
    }
    if (this.queue.stopped) throw closed(this.name);
  }

  /** Parks it for someone who is waiting for the slot. */
  async giveWay(): Promise<void> {
    if (this.parking.isPossible(true)) await this.parking.end();
  }

  /** Nothing is left to do: the idle time starts. */
  becameIdle(): void {
    this.parking.becameIdle();
  }

  /** Whether a CLI of an earlier host picked up a message. */
  tookUp(messageId: string): Promise<boolean> {
    return this.transcript.tookUp(messageId, (sessionId) => this.update({ sessionId }));
  }

  /** The id under which a CLI has written a transcript. */
  async knownId(): Promise<string | undefined> {
    const { sessionId, givenId, usage } = this.record;
    const id = sessionId ?? givenId;
    // A CLI that was killed in its first turn may have written nothing.
    const isSure = sessionId !== undefined && (usage?.outputTokens ?? 0) > 0;
    if (id === undefined || isSure) return id;
    const isThere = (await this.transcript.messages({ limit: 1 })).length > 0;
    if (isThere !== (sessionId !== undefined)) this.update({ sessionId: isThere ? id : undefined });
    return isThere ? id : undefined;
  }

  /** The turn of a message is over. */
  turnEnded(messageId: string): void {
    this.kept.turnEnded(messageId);
  }

  /** What its CLIs have used. */
  get usage(): TurnUsage {
    return this.#usage.total;
  }

  /** Its total budget. */
  get budgetUsd(): number | undefined {
    return this.#around.spending.limitOf(this.record);
  }

  /** Changes its budget; messages that wait for a budget decision are checked again. */
  setBudget(budgetUsd: number | undefined): void {
    this.#around.store.save({ ...this.record, budgetUsd });
    this.queue.budgetPrompt?.withdraw();
  }

  /** Counts what its CLIs have used since the last count. */
  countUsage(): void {
    this.#usage.count();
  }

  /** Sends nothing more, and waits for the running turn and background work. */
  async finishTurn(): Promise<void> {
    this.queue.stop();
    this.cli.leaveLine();
    await this.settled();
  }

  /** Waits for its messages and background work. */
  settled(options: SettledOptions = {}): Promise<void> {
    const done = this.queue.idle().then(() => this.cli.session?.settled());
    return waitAtMost(done, options, {
      clock: this.#around.clock,
      late: () => `The conversation ${this.name} did not settle within ${options.deadlineMs} ms.`,
      aborted: `Waiting for the conversation ${this.name} to settle was aborted.`,
    });
  }

  /** Stops immediately: unsettled messages are left for the next manager. */
  async close(): Promise<void> {
    this.parking.callOff();
    this.queue.stop();
    this.launch.stop();
    await this.cli.close();
    await this.queue.idle();
    this.#readers?.finish();
  }

  /** Ends all of it; then the manager forgets it. */
  async end({ transcript = false, workspace = 'keep', ...options }: DeleteOptions = {}): Promise<void> {
    // First what can fail: then the conversation continues.
    if (transcript || workspace !== 'keep')
      await this.cli.parkFor(async () => {
        if (workspace !== 'keep') await this.launch.endWorkspace(workspace, options);
        if (transcript) await this.transcript.delete();
      });
    this.queue.cancelWaiting();
    this.queue.stop('dropped');
    await this.close();
  }

  /** It was forgotten: it says so, and nothing else any more. */
  forgotten(): void {
    this.#become('deleted');
  }

  #become(state: ConversationState): void {
    if (state === this.#told) return;
    this.#told = state;
    this.emit('state', { state });
    this.user?.changed();
  }

  #decided(prompt: BudgetPrompt, state: PromptState): void {
    const { budgetPrompt = prompt, stopped, isLeft } = this.queue;
    // The next manager asks again, and so may this one.
    if (budgetPrompt === prompt && !(stopped && isLeft)) this.user?.prompted({ prompt, state });
  }

  /** Its user shows what is kept when the CLI has ended. */
  #keptChanged(change: PromptChange): void {
    this.emit('prompt', change);
    if (change.state !== 'open') this.user?.prompted(change);
  }

  #notRepeated(promptId: string): void {
    this.emit('not-repeated', { promptId });
    const text = 'The CLI did not repeat the call you answered.';
    this.append({ kind: 'note', level: 'info', code: 'NOT_REPEATED', text });
  }

  #atMost<T>(opened: Promise<T>, options: SettledOptions): Promise<T> {
    return waitAtMost(opened, options, {
      clock: this.#around.clock,
      late: () => `The conversation ${this.name} had no CLI within ${options.deadlineMs} ms.`,
      aborted: `Waiting for the CLI of the conversation ${this.name} was aborted.`,
    });
  }

  #tell(text: string): string {
    return this.enqueue(text).userMessageId;
  }

  #cliOwner() {
    const host = this;
    return {
      get owner() {
        return host.record.owner;
      },
      get priority() {
        return host.record.priority;
      },
      claim: () => this.launch.claim(),
      start: () => this.launch.start(),
      attached: (session: Session) => this.#attached(session),
      gone: (end: CliEnd) => this.#gone(end),
      returned: () => this.queue.returned(),
      ended: (end: CliEnd) => this.user?.ended(end),
      changed: () => this.changed(),
    };
  }

  #attached(session: Session): void {
    this.#usage.attached(session);
    if (this.record.sessionId === undefined) this.update({ startedAs: session.id });
    this.#readers?.attached(session);
    session.on('message', (message) => {
      // Most messages are partial text.
      if (message.type !== 'stream_event') {
        this.queue.heard(message, session);
        this.#noteLimits(message);
        this.parking.heard(message);
        this.#noteMode(message);
      }
      this.emit('message', { message });
    });
    session.on('prompt', (change) => {
      // One that ends with its CLI is kept, or over once nothing is left of the CLI.
      if (change.state !== 'withdrawn' || session.state === 'ready') this.user?.prompted(change);
      this.kept.note(change, session);
      this.emit('prompt', change);
      // A prompt whose CLI has ended can be answered here; a closing manager leaves that to the next one.
      if (!this.queue.stopped) this.kept.announce();
      if (change.state !== 'open') this.becameIdle();
      else this.#around.makeRoom();
    });
    session.on('unasked', (turn) => {
      if (this.queue.deferred.take(turn)) return;
      this.#unasked += 1;
      this.emit('unasked', { turn });
      this.user?.changed();
      void turn.outcome.then(() => this.#unaskedEnded());
    });
    session.on('diagnostic', (diagnostic) => this.emit('diagnostic', { diagnostic }));
  }

  /** The last report of an ended CLI counts too. */
  #gone({ why }: CliEnd): void {
    if (this.#around.store.find(this.name) !== undefined) this.countUsage();
    if (why !== 'lost') return;
    this.kept.orphan();
    this.queue.deferred.lost();
  }

  /** Its budget may be spent now, and its CLI idle. */
  #unaskedEnded(): void {
    this.#unasked -= 1;
    if (this.#told === 'deleted') return;
    this.countUsage();
    this.becameIdle();
    this.user?.changed();
  }

  #noteLimits(message: WireObject): void {
    if (message.type !== 'rate_limit_event') return;
    const limits = this.#around.plans.take(this.login, message);
    if (limits === undefined) return;
    this.emit('limits', { limits });
    this.append({ kind: 'usage', limits });
  }

  /** A prompt's answer may change the mode: the next CLI starts with the current one. */
  #noteMode({ type, permissionMode: named }: WireObject): void {
    const permissionMode = permissionModes.find((known) => known === named);
    if (type !== 'system' || permissionMode === undefined) return;
    if (permissionMode !== this.launch.permissionMode) this.keep({ permissionMode });
  }
}

function closed(name: string): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', `The manager of the conversation ${name} is closing.`);
}
