import type { Session } from '../../../host/session/session.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import { type UserInput, userMessage } from '../../../host/session/turns/user-message.js';
import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConversationFacts, ConversationState, LaunchOptions, WhileBusy } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { ConversationRecord } from '../store/record.js';
import type { WorktreeEnd } from '../workspaces/worktree.js';
import { ConversationCli } from './conversation-cli.js';
import { ConversationLaunch } from './conversation-launch.js';
import { factsOf } from './facts.js';
import { type KeptPrompt, KeptPrompts } from './kept-prompts.js';
import { MessageQueue } from './message-queue.js';
import type { Surroundings } from './surroundings.js';

/** How a message is sent to a conversation. */
export interface ConversationSendOptions {
  /** What it does while a turn runs or waits. Default: `enqueue`. */
  readonly whileBusy?: WhileBusy | undefined;
  /** Sends it to the next CLI if one ends before anything was heard of it. Default: true. */
  readonly resend?: boolean | undefined;
}

/** A conversation that outlives its CLI. It can be used alike while its CLI runs, is parked or died. */
export class Conversation {
  /** Its name. */
  readonly name: string;
  readonly #around: Surroundings;
  readonly #cli: ConversationCli;
  readonly #queue: MessageQueue;
  readonly #kept: KeptPrompts;
  readonly #launch: ConversationLaunch;
  #viewers = 0;
  #callOffIdle: (() => void) | undefined;
  #idleSince: number | undefined;
  #told: ConversationState = 'parked';
  #deleted = false;

  constructor(name: string, given: LaunchOptions, around: Surroundings) {
    this.name = name;
    this.#around = around;
    this.#launch = new ConversationLaunch(this, given, around);
    this.#cli = new ConversationCli(this.#cliOwner(), around);
    this.#kept = new KeptPrompts({
      record: () => this.record,
      update: (change) => this.update(change),
      tell: (text) => this.#enqueue(text, {}).userMessageId,
      onNotRepeated: (promptId) => this.#emit('not-repeated', { promptId }),
    });
    this.#queue = new MessageQueue(this, this.#cli, around);
  }

  /** Whose it is. */
  get owner(): string {
    return this.record.owner;
  }

  /** What it is doing. */
  get state(): ConversationState {
    if (this.#deleted) return 'deleted';
    if (this.record.failure !== undefined) return 'failed';
    if (this.#cli.state !== 'none') return this.#cli.state;
    return this.#queue.waitsFor ?? 'parked';
  }

  /** The CLI's id of the conversation; undefined until its first turn. */
  get id(): string | undefined {
    return this.record.sessionId;
  }

  /** The process id of its CLI, while one runs. */
  get pid(): number | undefined {
    return this.#cli.session?.pid;
  }

  /** The CLI's answer to `initialize`, while one runs. */
  get info(): Session['info'] | undefined {
    return this.#cli.session?.info;
  }

  /** What it has cost, in dollars. */
  get costUsd(): number {
    return this.record.costUsd;
  }

  /** How many wait for a place before it; undefined unless it waits for one. */
  get ahead(): number | undefined {
    return this.#cli.ahead;
  }

  /** What its running CLI asks. */
  get prompts(): Session['prompts']['open'] {
    return this.#cli.session?.prompts.open ?? [];
  }

  /** What a CLI asked that is gone. */
  get keptPrompts(): readonly KeptPrompt[] {
    return this.#kept.open;
  }

  /** The question about a budget that is spent. */
  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#queue.budgetPrompt;
  }

  /** What is known of it. */
  get facts(): ConversationFacts {
    return factsOf(this.record, { state: this.state, messages: this.#queue.length });
  }

  /** Sends a message. It waits for a place, a limit or a decision about money where it has to, also over restarts. */
  send(input: UserInput, { whileBusy = 'enqueue', ...options }: ConversationSendOptions = {}): Turn {
    this.#checkUsable();
    const busy = this.#queue.length > 0;
    if (busy && whileBusy === 'reject') {
      throw new CoxswainError('CONVERSATION_BUSY', `A turn of the conversation ${this.name} is not over.`);
    }
    if (busy && whileBusy === 'replace') this.#queue.cancelWaiting();
    const turn = this.#enqueue(input, { ...options, first: whileBusy === 'interrupt' });
    if (busy && whileBusy !== 'enqueue') void this.interrupt().catch(() => {});
    return turn;
  }

  /** Stops the running turn. Messages that wait are sent after it. */
  async interrupt(): Promise<boolean> {
    const session = this.#cli.session;
    if (session === undefined || !this.#queue.isRunning) return false;
    return (await session.interrupt()).interrupted;
  }

  /** Sends a control request, starting the CLI if none runs. */
  async control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    return (await this.wake()).control(subtype, params, options);
  }

  /** Changes the model, for the CLI that runs and those to come. */
  async setModel(model: string): Promise<void> {
    await this.#cli.session?.setModel(model);
    this.#keepOption('model', model);
  }

  /** Changes the permission mode, for the CLI that runs and those to come. */
  async setPermissionMode(mode: Parameters<Session['setPermissionMode']>[0]): Promise<void> {
    await this.#cli.session?.setPermissionMode(mode);
    this.#keepOption('permissionMode', mode);
  }

  /** The session of its CLI, which is started if none runs. Parking ends it. */
  async wake(): Promise<Session> {
    this.#checkUsable();
    const session = await this.#cli.open();
    if (session === undefined) throw closed(this.name);
    this.becameIdle();
    return session;
  }

  /** Ends its CLI as soon as nothing runs; the next message starts another one. */
  async park(): Promise<void> {
    await this.#queue.idle();
    if (this.#isParkable(false)) await this.#end();
  }

  /** Keeps its CLI running while somebody looks on; the returned function stops that. */
  watch(): () => void {
    this.#viewers += 1;
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      this.#viewers -= 1;
      this.becameIdle();
    };
  }

  /** Ends its worktree: merges its branch into what is checked out, or removes it with its changes. Parks the conversation. */
  async endWorkspace(end: WorktreeEnd): Promise<void> {
    await this.park();
    await this.#launch.endWorkspace(end);
  }

  /** Lets a failed conversation try again. */
  retry(): void {
    this.update({ failure: undefined, crashes: 0 });
    this.changed();
    this.#queue.work();
  }

  /** What is on disk of it. @internal */
  get record(): ConversationRecord {
    const record = this.#around.store.find(this.name);
    if (record === undefined)
      throw new CoxswainError('CONVERSATION_UNKNOWN', `The conversation ${this.name} was deleted.`);
    return record;
  }

  /** Writes a change of it down. @internal */
  update(change: Partial<ConversationRecord>): void {
    this.#around.store.save({ ...this.record, ...change });
  }

  /** Messages of an earlier manager go on. @internal */
  restore(): void {
    this.#queue.restore();
  }

  /** Takes the options of its next start. @internal */
  reconfigure(given: LaunchOptions): void {
    this.#launch.reconfigure(given);
  }

  /** How long it has been idle, if it could be parked; undefined if not. @internal */
  get idleMs(): number | undefined {
    if (!this.#isParkable(true) || this.#idleSince === undefined) return undefined;
    return this.#around.clock.now() - this.#idleSince;
  }

  /** Tells its state, if that is another one. @internal */
  changed(): void {
    const state = this.state;
    if (state === this.#told) return;
    this.#told = state;
    this.#emit('state', { state });
  }

  /** Nothing is left to do: the time until it is parked begins. @internal */
  becameIdle(): void {
    this.#callOffIdle?.();
    const session = this.#cli.session;
    if (session === undefined) return;
    session.settled().then(
      () => this.#startIdling(session),
      () => {},
    );
  }

  /** Whether a CLI of an earlier host took up a message. @internal */
  tookUp(messageId: string): Promise<boolean> {
    return this.#launch.tookUp(messageId, (sessionId) => this.update({ sessionId }));
  }

  /** The turn of a message is over. @internal */
  turnEnded(messageId: string): void {
    this.#kept.turnEnded(messageId);
  }

  /** Sends nothing more, and waits for the turn that runs. @internal */
  async finishTurn(): Promise<void> {
    this.#queue.stop();
    this.#cli.leaveLine();
    await this.#queue.idle();
  }

  /** Stops at once: what has not settled is left for the next manager. @internal */
  async close(): Promise<void> {
    this.#callOffIdle?.();
    this.#queue.stop();
    await this.#cli.close();
    await this.#queue.idle();
  }

  /** Ends everything of it. @internal */
  async delete(): Promise<void> {
    this.#queue.cancelWaiting();
    await this.close();
    this.#around.store.remove(this.name);
    this.#deleted = true;
    this.changed();
  }

  /** Parks it for somebody who waits for its place. @internal */
  async giveWay(): Promise<void> {
    if (this.#isParkable(true)) await this.#end();
  }

  #enqueue(input: UserInput, options: { readonly resend?: boolean | undefined; readonly first?: boolean }) {
    const { makeUuid, now } = this.#around;
    const { uuid } = userMessage(input, {}, makeUuid);
    this.#callOffIdle?.();
    const turn = this.#queue.add({
      id: uuid,
      input,
      resend: options.resend ?? true,
      first: options.first ?? false,
    });
    this.update({ usedAt: now() });
    return turn;
  }

  #startIdling(session: Session): void {
    if (session !== this.#cli.session || !this.#isParkable(true)) return;
    const { clock, options, idle } = this.#around;
    this.#idleSince = clock.now();
    this.#callOffIdle?.();
    this.#callOffIdle = clock.after(options.idleMs, () => {
      if (this.#isParkable(true)) void this.#end();
    });
    idle();
  }

  #isParkable(unlessWatched: boolean): boolean {
    const session = this.#cli.session;
    if (session === undefined || this.#queue.length > 0) return false;
    return session.waitingFor.length === 0 && !(unlessWatched && this.#viewers > 0);
  }

  async #end(): Promise<void> {
    this.#callOffIdle?.();
    this.#idleSince = undefined;
    await this.#cli.park();
  }

  #keepOption(name: 'model' | 'permissionMode', value: unknown): void {
    this.update({ options: { ...this.record.options, [name]: value } });
  }

  #checkUsable(): void {
    const { failure } = this.record;
    if (failure !== undefined) {
      throw new CoxswainError(
        'CONVERSATION_FAILED',
        `The conversation ${this.name} has failed: ${failure.message} retry() lets it try again.`,
      );
    }
    if (this.#queue.stopped) throw closed(this.name);
  }

  #cliOwner() {
    const conversation = this;
    return {
      get owner() {
        return conversation.record.owner;
      },
      get priority() {
        return conversation.record.priority;
      },
      get takesWarm() {
        return conversation.#launch.takesWarm;
      },
      start: () => this.#launch.start(),
      attached: (session: Session) => this.#attached(session),
      lost: () => this.#kept.orphan(),
      changed: () => this.changed(),
    };
  }

  #attached(session: Session): void {
    if (this.record.sessionId === undefined) this.update({ startedAs: session.id });
    session.on('message', (message) => {
      this.#queue.heard(message, session);
      this.#emit('message', { message });
    });
    session.on('prompt', (change) => {
      this.#kept.note(change, session);
      this.#emit('prompt', change);
      if (change.state !== 'open') this.becameIdle();
    });
    session.on('diagnostic', (diagnostic) => this.#emit('diagnostic', { diagnostic }));
  }

  #emit(event: string, value: object): void {
    this.#around.listeners.emit(event, { conversation: this.name, ...value } as never);
  }
}

function closed(name: string): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', `The manager of the conversation ${name} is closing.`);
}
