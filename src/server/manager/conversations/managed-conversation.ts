import type { ClientName, QueuedEvent } from '../../../entry/remote/contract.js';
import type { Effort } from '../../../host/cli/options/cli-options.js';
import type { Prompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { SettledOptions } from '../../../host/session/turns/settling.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConversationState } from '../../conversation/states.js';
import type { ManagerEvents } from '../manager-events.js';
import type { ConversationFacts } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { Schedule, ScheduleOptions } from '../schedules/schedule.js';
import type { WorktreeEnd, WorktreeEndOptions } from '../workspaces/worktree-end.js';
import type { Conversation, ConversationSendOptions } from './conversation.js';
import type { ConversationHost } from './conversation-host.js';
import { checkSendOptions } from './conversation-option-checks.js';
import type { TranscriptOptions } from './conversation-transcript.js';
import { queuedEvent } from './queued-message.js';

/** A conversation whose CLI runs on this machine. */
export class ManagedConversation implements Conversation {
  readonly #host: ConversationHost;

  /** @internal */
  constructor(host: ConversationHost) {
    this.#host = host;
  }

  get name(): string {
    return this.#host.name;
  }

  get owner(): string {
    return this.#host.record.owner;
  }

  get state(): ConversationState {
    return this.#host.state;
  }

  get id(): string | undefined {
    return this.#host.record.sessionId;
  }

  get pid(): number | undefined {
    return this.#session?.pid;
  }

  get info(): Session['info'] | undefined {
    return this.#session?.info;
  }

  get version(): string | undefined {
    return this.#session?.version;
  }

  get costUsd(): number {
    return this.#host.record.costUsd;
  }

  get usage(): TurnUsage {
    return this.#host.usage;
  }

  get ahead(): number | undefined {
    return this.#host.cli.ahead;
  }

  get idleMs(): number | undefined {
    return this.#host.parking.idleMs;
  }

  get prompts(): Prompts {
    const open = [...this.#host.kept.open, ...this.#host.cliPrompts];
    return { open, find: (id) => open.find((prompt) => prompt.id === id) };
  }

  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#host.queue.budgetPrompt;
  }

  get budgetUsd(): number | undefined {
    return this.#host.budgetUsd;
  }

  setBudget(usd: number | undefined): void {
    if (usd !== undefined && !(Number.isFinite(usd) && usd > 0))
      throw new RangeError('setBudget() takes a positive amount in US dollars.');
    this.#host.setBudget(usd);
  }

  get facts(): ConversationFacts {
    return this.#host.facts;
  }

  /** Whether its CLI is ending. */
  get isEnding(): boolean {
    return this.#host.cli.isEnding;
  }

  /** If its CLI is ending, resolves when nothing is left of it. */
  untilGone(): Promise<void> {
    return this.#host.cli.untilGone();
  }

  /** Whether a message has not settled. */
  has(uuid: string): boolean {
    return this.#host.queue.has(uuid);
  }

  /** Cancels a message that has not started; returns whether that worked. */
  takeBack(uuid: string): Promise<boolean> {
    return this.#host.queue.takeBack(uuid);
  }

  /** Says whether its user needs the CLI: an unused one may be parked. */
  use(isUsed: boolean): void {
    this.#host.parking.use(isUsed);
  }

  /** Whether it has a message or a turn. */
  get isBusy(): boolean {
    return this.#host.isBusy;
  }

  /** What it has accepted and not settled, in order. */
  get accepted(): readonly QueuedEvent[] {
    return this.#host.queue.unsettled.map(({ record }) => queuedEvent(record));
  }

  get unasked(): AsyncIterable<Turn> {
    return this.#host.readers.unasked;
  }

  /** `by` is for viewers: who sent it. */
  send(input: UserInput, given: ConversationSendOptions = {}, by?: ClientName): Turn {
    checkSendOptions(given);
    const { whileBusy = 'enqueue', signal, priority, parentUuid, ...options } = given;
    const { queue } = this.#host;
    this.#host.checkUsable();
    const busy = queue.length > 0 || this.#hasTurn;
    if (busy && whileBusy === 'reject') {
      throw new CoxswainError(
        'CONVERSATION_BUSY',
        `A turn of the conversation ${this.name} is still in progress.`,
      );
    }
    const placed = priority === undefined && parentUuid === undefined ? undefined : { priority, parentUuid };
    const joins = whileBusy === 'join' ? true : undefined;
    const first = whileBusy === 'interrupt';
    const turn = this.#host.enqueue(input, { ...options, placed, joins, first, by });
    if (whileBusy === 'replace') queue.cancelWaiting(turn);
    // A CLI that cannot be interrupted goes on; the message waits for the end of its turn.
    if (busy && (whileBusy === 'interrupt' || whileBusy === 'replace')) void this.interrupt().catch(() => {});
    if (signal !== undefined) turn.obey(signal);
    return turn;
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#host.readers.listeners.on(event, listener);
  }

  messages(options?: MessagesOptions): AsyncIterable<CliMessage> {
    return this.#host.readers.messages(this.#session, options);
  }

  transcript(options?: TranscriptOptions): Promise<readonly SessionMessage[]> {
    return this.#host.transcript.messages(options);
  }

  async interrupt(options?: RequestOptions): Promise<boolean> {
    const session = this.#session;
    if (session === undefined || !(this.#host.queue.isRunning || this.#hasTurn)) return false;
    return (await session.interrupt(options)).interrupted;
  }

  async control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    const answer: WireObject = await (await this.wake(options)).control(subtype, params, options);
    if (subtype === 'set_model')
      this.#host.keep({ model: typeof params.model === 'string' ? params.model : undefined });
    return answer;
  }

  async setModel(model: string, options?: RequestOptions): Promise<void> {
    await (await this.#host.started(options))?.setModel(model, options);
    this.#host.keep({ model });
  }

  async setPermissionMode(
    mode: Parameters<Session['setPermissionMode']>[0],
    options?: RequestOptions,
  ): Promise<void> {
    await (await this.#host.started(options))?.setPermissionMode(mode, options);
    this.#host.keep({ permissionMode: mode });
  }

  async setEffort(effort: Effort | undefined, options?: RequestOptions): Promise<void> {
    await (await this.#host.started(options))?.settings.apply({ effortLevel: effort ?? null }, options);
    this.#host.keep({ effort });
  }

  wake(options?: SettledOptions): Promise<Session> {
    return this.#host.wake(options);
  }

  settled(options?: SettledOptions): Promise<void> {
    return this.#host.settled(options);
  }

  get turns(): readonly Turn[] {
    return this.#host.queue.unsettled.map(({ turn }) => turn);
  }

  cancelWaiting(): void {
    this.#host.queue.cancelWaiting();
  }

  park(options?: SettledOptions): Promise<void> {
    return this.#host.parking.park(options);
  }

  schedule(options: ScheduleOptions): void {
    this.#host.setSchedule(options);
  }

  /** Goes on with the schedule that it had elsewhere: what was due since then was missed. */
  bringSchedule(schedule: Schedule): void {
    this.#host.bringSchedule(schedule);
  }

  /** Its schedule, if it has one. */
  get scheduled(): Schedule | undefined {
    return this.#host.record.schedule;
  }

  unschedule(): void {
    this.#host.setSchedule(undefined);
  }

  watch(): () => void {
    return this.#host.parking.watch();
  }

  async endWorkspace(end: WorktreeEnd, options?: WorktreeEndOptions): Promise<void> {
    const { parking, launch } = this.#host;
    if (await parking.parkUnlessBusy(() => launch.endWorkspace(end, options))) return;
    const message = `The CLI of the conversation ${this.name} is working in its workspace: park() it first.`;
    throw new CoxswainError('WORKSPACE_FAILED', message);
  }

  retry(): void {
    this.#host.update({ failure: undefined, crashes: 0 });
    this.#host.changed();
    this.#host.queue.work();
  }

  get #session(): Session | undefined {
    return this.#host.cli.session;
  }

  /** Whether its CLI has a turn, which it may have started itself. */
  get #hasTurn(): boolean {
    return this.#session?.waitingFor.includes('turn') ?? false;
  }
}
