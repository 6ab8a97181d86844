import type { Effort } from '../../../host/cli/options/cli-options.js';
import type { Session } from '../../../host/session/session.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { SendOptions, UserInput } from '../../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ManagerEvents } from '../manager-events.js';
import type { ConversationFacts, ConversationState, WhileBusy } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { ScheduleOptions } from '../schedules/schedule.js';
import type { WorktreeEnd } from '../workspaces/worktree.js';
import type { ConversationHost } from './conversation-host.js';
import type { TranscriptOptions } from './conversation-transcript.js';
import type { KeptPrompt } from './kept-prompts.js';

/** Options of sending a message to a conversation. */
export interface ConversationSendOptions {
  /** What to do while a turn runs or waits. Default: `enqueue`. */
  readonly whileBusy?: WhileBusy | undefined;
  /** Whether to send it to the next CLI if a CLI ends before responding to it. Default: true. */
  readonly resend?: boolean | undefined;
  /** What to do at a usage limit. Default: as set for the manager. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** The message's own id. Default: a random one. */
  readonly uuid?: string | undefined;
  /** When the CLI should process a message that joins the running turn; newer CLIs only. */
  readonly priority?: SendOptions['priority'];
  /** The parent message; null for the beginning. Patched CLIs only. */
  readonly parentUuid?: SendOptions['parentUuid'];
  /** Ends this turn when aborted: cancels a waiting message, interrupts a running turn. */
  readonly signal?: AbortSignal | undefined;
}

/** A conversation that outlives its CLI. You use it the same way while its CLI runs, is parked or has died. */
export class Conversation {
  readonly #host: ConversationHost;

  /** @internal */
  constructor(host: ConversationHost) {
    this.#host = host;
  }

  /** Its name. */
  get name(): string {
    return this.#host.name;
  }

  /** The owner. */
  get owner(): string {
    return this.#host.record.owner;
  }

  /** What it is doing. */
  get state(): ConversationState {
    return this.#host.state;
  }

  /** The CLI's id of the conversation; undefined until its first turn. */
  get id(): string | undefined {
    return this.#host.record.sessionId;
  }

  /** The process id of its CLI, while one runs. */
  get pid(): number | undefined {
    return this.#session?.pid;
  }

  /** The CLI's answer to `initialize`, while one runs. */
  get info(): Session['info'] | undefined {
    return this.#session?.info;
  }

  /** The version of its CLI, while one runs. */
  get version(): string | undefined {
    return this.#session?.version;
  }

  /** The cost so far, in dollars. */
  get costUsd(): number {
    return this.#host.record.costUsd;
  }

  /** What it has used, cost and tokens. */
  get usage(): TurnUsage {
    return this.#host.usage;
  }

  /** How many are ahead of it in the queue for a slot; undefined if it is not waiting. */
  get ahead(): number | undefined {
    return this.#host.cli.ahead;
  }

  /** How long it has been idle with a CLI that could be parked, in milliseconds; undefined if not. */
  get idleMs(): number | undefined {
    return this.#host.parking.idleMs;
  }

  /** The prompts of its running CLI. */
  get prompts(): Session['prompts']['open'] {
    return this.#session?.prompts.open ?? [];
  }

  /** Prompts whose CLI has ended. */
  get keptPrompts(): readonly KeptPrompt[] {
    return this.#host.kept.open;
  }

  /** The prompt about a spent budget, if any. */
  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#host.queue.budgetPrompt;
  }

  /** Its total budget in US dollars; undefined for no limit. */
  get budgetUsd(): number | undefined {
    return this.#host.budgetUsd;
  }

  /**
   * Sets its total budget in US dollars; undefined for the manager's default. @throws RangeError for an invalid
   * amount.
   */
  setBudget(usd: number | undefined): void {
    if (usd !== undefined && !(Number.isFinite(usd) && usd > 0))
      throw new RangeError('setBudget() takes a positive amount in US dollars.');
    this.#host.setBudget(usd);
  }

  /** Facts about it. */
  get facts(): ConversationFacts {
    return this.#host.facts;
  }

  /** Turns that the CLI started: newer CLIs start one when background work ends. */
  get unasked(): AsyncIterable<Turn> {
    return this.#host.readers.unasked;
  }

  /** Sends a message. If necessary, it waits for a slot, a usage limit or a budget decision, across restarts. */
  send(
    input: UserInput,
    { whileBusy = 'enqueue', signal, priority, parentUuid, ...options }: ConversationSendOptions = {},
  ): Turn {
    const { queue } = this.#host;
    this.#host.checkUsable();
    const busy = queue.length > 0;
    if (busy && whileBusy === 'reject') {
      throw new CoxswainError('CONVERSATION_BUSY', `A turn of the conversation ${this.name} is not done.`);
    }
    if (busy && whileBusy === 'replace') queue.cancelWaiting();
    const placed = priority === undefined && parentUuid === undefined ? undefined : { priority, parentUuid };
    const joins = whileBusy === 'join' ? true : undefined;
    const turn = this.#host.enqueue(input, { ...options, placed, joins, first: whileBusy === 'interrupt' });
    if (busy && (whileBusy === 'interrupt' || whileBusy === 'replace')) void this.interrupt().catch(() => {});
    if (signal !== undefined) turn.obey(signal);
    return turn;
  }

  /** Adds a listener for this conversation; the returned function removes it. */
  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#host.listeners.on(event, listener);
  }

  /** Every message from now on, of all its CLIs. Has one reader; a slow reader makes the CLI wait. */
  messages(options?: MessagesOptions): AsyncIterable<CliMessage> {
    return this.#host.readers.messages(this.#session, options);
  }

  /** Returns the messages so far, from the CLI's transcript. */
  transcript(options?: TranscriptOptions): Promise<readonly SessionMessage[]> {
    return this.#host.transcript.messages(options);
  }

  /** Stops the running turn. Waiting messages are sent after it. */
  async interrupt(): Promise<boolean> {
    const session = this.#session;
    if (session === undefined || !this.#host.queue.isRunning) return false;
    return (await session.interrupt()).interrupted;
  }

  /** Sends a control request, starting the CLI if none runs. */
  async control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    const answer: WireObject = await (await this.wake()).control(subtype, params, options);
    if (subtype === 'set_model') this.#host.keepOption('model', params.model);
    return answer;
  }

  /** Sets the model, for the running CLI and later ones. */
  async setModel(model: string): Promise<void> {
    await this.#session?.setModel(model);
    this.#host.keepOption('model', model);
  }

  /** Sets the permission mode, for the running CLI and later ones. */
  async setPermissionMode(mode: Parameters<Session['setPermissionMode']>[0]): Promise<void> {
    await this.#session?.setPermissionMode(mode);
    this.#host.keepOption('permissionMode', mode);
  }

  /**
   * Sets how much work the model puts into an answer, for the running CLI and later ones; undefined for the CLI's
   * default.
   */
  async setEffort(effort: Effort | undefined): Promise<void> {
    await this.#session?.settings.apply({ effortLevel: effort ?? null });
    this.#host.keepOption('effort', effort);
  }

  /** Returns the session with its CLI; starts one if necessary. Parking ends it. */
  wake(): Promise<Session> {
    return this.#host.wake();
  }

  /** Resolves when no message is unsettled and no background work runs. */
  async settled(): Promise<void> {
    await this.#host.queue.idle();
    await this.#session?.settled();
  }

  /** The turns of all unsettled messages, in order, including those from an earlier manager. */
  get turns(): readonly Turn[] {
    return this.#host.queue.turns;
  }

  /** Cancels every message that no CLI has received. */
  cancelWaiting(): void {
    this.#host.queue.cancelWaiting();
  }

  /** Ends its CLI as soon as nothing runs; the next message starts a new one. */
  park(): Promise<void> {
    return this.#host.park();
  }

  /**
   * Sends a message at certain times, across restarts, until `unschedule()`. A time is skipped if the previous message
   * is not done. @throws OptionError for invalid times or an unknown time zone.
   */
  schedule(options: ScheduleOptions): void {
    this.#host.setSchedule(options);
  }

  /** Ends its schedule; without one, does nothing. */
  unschedule(): void {
    this.#host.setSchedule(undefined);
  }

  /** Keeps its CLI running while somebody watches; the returned function ends that. */
  watch(): () => void {
    return this.#host.parking.watch();
  }

  /**
   * Ends its worktree: merges its branch into the checked-out one, or removes it with its changes. Parks the
   * conversation.
   */
  async endWorkspace(end: WorktreeEnd): Promise<void> {
    await this.park();
    await this.#host.launch.endWorkspace(end);
  }

  /** Lets a failed conversation try again. */
  retry(): void {
    this.#host.update({ failure: undefined, crashes: 0 });
    this.#host.changed();
    this.#host.queue.work();
  }

  get #session(): Session | undefined {
    return this.#host.cli.session;
  }
}
