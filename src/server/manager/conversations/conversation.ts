import type { Effort } from '../../../host/cli/options/cli-options.js';
import type { Prompts } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import type { MessagesOptions } from '../../../host/session/turns/session-turns.js';
import type { SettledOptions } from '../../../host/session/turns/settling.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { SendOptions, UserInput } from '../../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ConversationState } from '../../conversation/states.js';
import type { ManagerEvents } from '../manager-events.js';
import type { ConversationFacts, WhileBusy } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { ScheduleOptions } from '../schedules/schedule.js';
import type { WorktreeEnd, WorktreeEndOptions } from '../workspaces/worktree-end.js';
import type { TranscriptOptions } from './conversation-transcript.js';

/** Options for sending a message to a conversation. */
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
export interface Conversation {
  /** Its name. */
  readonly name: string;
  /** The owner. */
  readonly owner: string;
  /** What it is doing. */
  readonly state: ConversationState;
  /** The CLI's id of the conversation; undefined until its first turn. */
  readonly id: string | undefined;
  /** The process id of its CLI, while one runs. */
  readonly pid: number | undefined;
  /** The CLI's answer to `initialize`, while one runs. */
  readonly info: Session['info'] | undefined;
  /** The version of its CLI, while one runs. */
  readonly version: string | undefined;
  /** The cost so far, in dollars. */
  readonly costUsd: number;
  /** What it has used, cost and tokens. */
  readonly usage: TurnUsage;
  /** How many are ahead of it in the queue for a slot; undefined if it is not waiting. */
  readonly ahead: number | undefined;
  /** How long it has been idle with a CLI that could be parked, in milliseconds; undefined if not. */
  readonly idleMs: number | undefined;
  /** The open prompts: of its running CLI, deferred calls, and those whose CLI has ended; the next CLI gets the answer. */
  readonly prompts: Prompts;
  /** The prompt about a spent budget, if any. */
  readonly budgetPrompt: BudgetPrompt | undefined;
  /** Its total budget in US dollars; undefined for no limit. */
  readonly budgetUsd: number | undefined;
  /**
   * Sets its total budget in US dollars; undefined for the manager's default. @throws RangeError for an invalid
   * amount.
   */
  setBudget(usd: number | undefined): void;
  /** Facts about it. */
  readonly facts: ConversationFacts;
  /** Turns that the CLI started: newer CLIs start one when background work ends. */
  readonly unasked: AsyncIterable<Turn>;
  /** Sends a message. If necessary, it waits for a slot, a usage limit or a budget decision, across restarts. */
  send(input: UserInput, options?: ConversationSendOptions): Turn;
  /** Adds a listener for this conversation; the returned function removes it. */
  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void;
  /**
   * Every message from now on, of all its CLIs. Has one reader; a slow reader makes the CLI wait. Until you read, it
   * keeps the messages of the last four CLIs.
   */
  messages(options?: MessagesOptions): AsyncIterable<CliMessage>;
  /** Returns the messages so far, from the CLI's transcript. */
  transcript(options?: TranscriptOptions): Promise<readonly SessionMessage[]>;
  /** Stops the running turn. Waiting messages are sent after it. */
  interrupt(options?: RequestOptions): Promise<boolean>;
  /**
   * Sends a control request, starting the CLI if none runs. The options also limit how long it waits for a slot and for
   * the start.
   */
  control(subtype: string, params?: WireObject, options?: RequestOptions): Promise<WireObject>;
  /** Sets the model, for the running CLI and later ones. */
  setModel(model: string, options?: RequestOptions): Promise<void>;
  /** Sets the permission mode, for the running CLI and later ones. */
  setPermissionMode(
    mode: Parameters<Session['setPermissionMode']>[0],
    options?: RequestOptions,
  ): Promise<void>;
  /**
   * Sets how much work the model puts into an answer, for the running CLI and later ones; undefined for the CLI's
   * default.
   */
  setEffort(effort: Effort | undefined, options?: RequestOptions): Promise<void>;
  /**
   * Returns the session with its CLI; starts one if necessary, and waits for a slot as long as the options allow.
   * Default: no limit. Parking ends it.
   */
  wake(options?: SettledOptions): Promise<Session>;
  /**
   * Resolves when no message is unsettled and no background work runs. @throws CoxswainError `REQUEST_TIMEOUT` or
   * `REQUEST_ABORTED` if it is busy for longer than the options allow.
   */
  settled(options?: SettledOptions): Promise<void>;
  /** The turns of all unsettled messages, in order, including those from an earlier manager. */
  readonly turns: readonly Turn[];
  /** Cancels every message that no CLI has received. */
  cancelWaiting(): void;
  /**
   * Ends its CLI as soon as nothing runs, background work included; the next message starts a new one. @throws
   * CoxswainError `REQUEST_TIMEOUT` or `REQUEST_ABORTED` if it is busy for longer than the options allow.
   */
  park(options?: SettledOptions): Promise<void>;
  /**
   * Sends a message at certain times, across restarts, until `unschedule()`. A time is skipped if the previous message
   * is not done. @throws OptionError for invalid times or an unknown time zone.
   */
  schedule(options: ScheduleOptions): void;
  /** Ends its schedule; without one, does nothing. */
  unschedule(): void;
  /** Keeps its CLI running while somebody watches; the returned function ends that. */
  watch(): () => void;
  /**
   * Ends its worktree: merges what is checked out in it, or removes it and keeps its work under `refs/coxswain/kept` for
   * 30 days. Waits for messages and parks the conversation. @throws CoxswainError `WORKSPACE_FAILED` if its CLI is
   * still working there, if it cannot be merged, or if it has ignored files and `discardIgnored` is not set.
   */
  endWorkspace(end: WorktreeEnd, options?: WorktreeEndOptions): Promise<void>;
  /** Lets a failed conversation try again. */
  retry(): void;
}
