import type { Effort } from '../../../host/cli/options/cli-options.js';
import type { Prompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { SettledOptions } from '../../../host/session/turns/settling.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import { NO_USAGE, type TurnUsage } from '../../../host/session/turns/usage.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import { waitAtMost } from '../../../host/session/turns/wait-at-most.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { usageOf } from '../../console/sessions/new-summary.js';
import type { ConversationState } from '../../conversation/states.js';
import type { Conversation, ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { TranscriptOptions } from '../../manager/conversations/conversation-transcript.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import { type ScheduleOptions, scheduleFrom } from '../../manager/schedules/schedule.js';
import type { WorktreeEnd, WorktreeEndOptions } from '../../manager/workspaces/worktree-end.js';
import type { ServedHost } from './served-host.js';

/** A conversation that a server owns: a console, or a worker of a fleet. */
export class ServedConversation implements Conversation {
  readonly #host: ServedHost;
  readonly #clock: Clock;

  constructor(host: ServedHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  get name(): string {
    return this.#host.name;
  }

  get owner(): string {
    return this.#host.owner;
  }

  get state(): ConversationState {
    return this.#host.state;
  }

  get id(): string | undefined {
    return this.#host.summary?.conversation;
  }

  get pid(): undefined {
    return undefined;
  }

  get info(): Session['info'] | undefined {
    return this.state === 'running' ? this.#host.info : undefined;
  }

  get version(): string | undefined {
    return this.state === 'running' ? this.#host.summary?.cliVersion : undefined;
  }

  get costUsd(): number {
    return this.#host.summary?.costUsd ?? 0;
  }

  get usage(): TurnUsage {
    const { summary } = this.#host;
    return summary === undefined ? NO_USAGE : usageOf(summary);
  }

  get ahead(): undefined {
    return undefined;
  }

  get idleMs(): undefined {
    return undefined;
  }

  get prompts(): Prompts {
    return this.#host.prompts.all;
  }

  get budgetPrompt(): BudgetPrompt | undefined {
    return this.#host.prompts.budget;
  }

  get budgetUsd(): number | undefined {
    return this.#host.budgetUsd;
  }

  get facts(): ConversationFacts {
    return this.#host.facts;
  }

  get turns(): readonly Turn[] {
    return this.#host.turns.all;
  }

  get unasked(): AsyncIterable<Turn> {
    return this.#host.readers.unasked;
  }

  setBudget(usd: number | undefined): void {
    if (usd !== undefined && !(Number.isFinite(usd) && usd > 0))
      throw new RangeError('setBudget() takes a positive amount in US dollars.');
    this.#host.do('setBudget', { usd: usd ?? null });
  }

  send(input: UserInput, options?: ConversationSendOptions): Turn {
    return this.#host.send(input, options);
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    return this.#host.on(event, listener);
  }

  interrupt(options: RequestOptions = {}): Promise<boolean> {
    return this.#atMost(this.#host.interrupt(), options, 'The interrupt');
  }

  messages(options?: MessagesOptions): AsyncIterable<CliMessage> {
    return this.#host.readers.messages(options);
  }

  async transcript(options: TranscriptOptions = {}): Promise<readonly SessionMessage[]> {
    const { conversation, cwd } = this.#host.summary ?? {};
    if (conversation === undefined) return [];
    const { messages } = await this.#host.ask('history.messages', { conversation, cwd, ...options });
    return messages as unknown as readonly SessionMessage[];
  }

  async control(subtype: string, params: WireObject = {}, options: RequestOptions = {}): Promise<WireObject> {
    return (await this.wake(options)).control(subtype, params, options);
  }

  async setModel(model: string, options: RequestOptions = {}): Promise<void> {
    await this.#atMost(this.#host.change('setModel', { model }), options, 'setModel()');
  }

  async setPermissionMode(
    mode: Parameters<Session['setPermissionMode']>[0],
    options: RequestOptions = {},
  ): Promise<void> {
    await this.#atMost(this.#host.change('setPermissionMode', { mode }), options, 'setPermissionMode()');
  }

  async setEffort(effort: Effort | undefined, options: RequestOptions = {}): Promise<void> {
    await (await this.wake(options)).settings.apply({ effortLevel: effort ?? null }, options);
  }

  wake(options: SettledOptions = {}): Promise<Session> {
    return this.#atMost(this.#opened(), options, 'The start of its CLI');
  }

  async #opened(): Promise<Session> {
    this.#host.checkUsable();
    return this.#host.guest.connected ?? (await this.#host.open().then(() => this.#host.guest.open()));
  }

  #atMost<T>(asked: Promise<T>, options: SettledOptions, what: string): Promise<T> {
    const where = `in the conversation ${this.name}`;
    return waitAtMost(asked, options, {
      clock: this.#clock,
      late: () => `${what} was not complete within ${options.deadlineMs} ms ${where}.`,
      aborted: `${what} was aborted ${where}.`,
    });
  }

  settled(options: SettledOptions = {}): Promise<void> {
    return waitAtMost(this.#settled(), options, {
      clock: this.#clock,
      late: () => `The conversation ${this.name} did not settle within ${options.deadlineMs} ms.`,
      aborted: `Waiting for the conversation ${this.name} to settle was aborted.`,
    });
  }

  async #settled(): Promise<void> {
    while (this.#host.turns.all.length > 0)
      await Promise.all(this.#host.turns.all.map(({ outcome }) => outcome));
    await this.#host.guest.connected?.settled();
  }

  cancelWaiting(): void {
    for (const { userMessageId, receipt } of this.#host.turns.all)
      if (receipt === 'held' || receipt === 'queued')
        void this.#host.attempt(this.#host.takeBack(String(userMessageId)));
    for (const uuid of this.#host.summary?.queued ?? [])
      if (!this.#host.turns.has(uuid)) void this.#host.attempt(this.#host.ask('unsend', { uuid }));
  }

  park(options: SettledOptions = {}): Promise<void> {
    const late = () => `The conversation ${this.name} was still busy after ${options.deadlineMs} ms.`;
    return waitAtMost(this.#park(), options, { clock: this.#clock, late, aborted: 'Parking was aborted.' });
  }

  async #park(): Promise<void> {
    await this.#host.sent;
    if (this.#host.summary === undefined) return;
    await this.#host.ask('park', {});
    await this.#host.guest.close();
  }

  schedule(options: ScheduleOptions): void {
    // Invalid times are an error here.
    scheduleFrom(options, Date.now());
    this.#host.do('schedule', options);
  }

  unschedule(): void {
    if (this.#host.summary !== undefined) this.#host.do('unschedule', {});
  }

  watch(): () => void {
    return this.#host.watch();
  }

  async endWorkspace(end: WorktreeEnd, { discardIgnored }: WorktreeEndOptions = {}): Promise<void> {
    await this.#host.sent;
    await this.#host.exists();
    if (end !== 'keep') await this.#host.ask('endWorkspace', { end, discardIgnored });
  }

  retry(): void {
    this.#host.retry();
  }
}
