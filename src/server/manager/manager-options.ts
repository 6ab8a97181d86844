import type { SessionOptions } from '../../host/session/session-options.js';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import type { ConversationState } from '../conversation/states.js';
import type { ManagerEvents } from './manager-events.js';
import type { Budgets } from './money/spending.js';
import type { Schedule } from './schedules/schedule.js';
import type { StoredPrompt } from './store/record.js';
import type { Workspace } from './workspaces/workspace.js';

/** What to do with a message while a turn of the same conversation runs or waits. */
export type WhileBusy = 'enqueue' | 'join' | 'reject' | 'interrupt' | 'replace';

/** Launch options of a conversation; the manager sets its id and resuming. */
export type LaunchOptions = Omit<
  SessionOptions,
  'resume' | 'continue' | 'sessionId' | 'forkSession' | 'reopen'
>;

/** Everything that `openManager` takes. */
export interface ManagerOptions {
  /** The folder for the conversations. Only one manager can use it at a time. */
  readonly store: string;
  /** How many CLIs may run at once. Default: 8. */
  readonly maxRunning?: number | undefined;
  /** How long a conversation may be idle before it is parked, in milliseconds. Default: 10 minutes. */
  readonly idleMs?: number | undefined;
  /**
   * How many CLIs to start in advance for new conversations with the default options, or a count per set of options.
   * Not with `optionsFor` or `defer`. Default: 0.
   */
  readonly warm?: number | readonly WarmClis[] | undefined;
  /**
   * How long a CLI that was started in advance waits for a conversation before it ends, in milliseconds. Default: 10
   * minutes.
   */
  readonly warmMs?: number | undefined;
  /** Launch options of every conversation. */
  readonly defaults?: LaunchOptions | undefined;
  /**
   * Returns the launch options of one conversation. Called each time its CLI starts, including after a restart, and
   * when its transcript is read. Use it for callbacks, hooks, servers and keys, which are never stored.
   */
  readonly optionsFor?: ((conversation: ConversationFacts) => LaunchOptions) | undefined;
  /**
   * Which tool calls to defer, by the names of their tools or a function: the conversation waits for the answer without
   * a CLI, and the call stays in `prompts`. CLIs that cannot do this prompt as usual. Default: none.
   */
  readonly defer?: readonly string[] | ((call: DeferrableCall) => boolean) | undefined;
  /** What to do at a usage limit: wait until it ends and continue, or settle the turn. Default: wait. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Conversations that wait for the same limit continue spread over this time, in milliseconds. Default: 1 minute. */
  readonly limitSpreadMs?: number | undefined;
  /** Spending limits in US dollars. Reaching one pauses the conversation. Default: no limit. */
  readonly budgets?: Budgets | undefined;
  /** Receives the diagnostics of the manager and of all its conversations, like the event `diagnostic`. */
  readonly onDiagnostic?: ((value: ManagerEvents['diagnostic']) => void) | undefined;
  /**
   * Deletes conversations that have been unused for a while, or the oldest beyond a maximum count. Default: keep all.
   */
  readonly retention?: Retention | undefined;
}

/** A tool call that can be deferred. */
export interface DeferrableCall {
  /** The name of the conversation. */
  readonly conversation: string;
  /** The tool. */
  readonly tool: string;
  /** The input of the call. */
  readonly input: unknown;
}

/** CLIs that are started in advance for new conversations with the same options. */
export interface WarmClis {
  /** How many. */
  readonly count: number;
  /** Launch options in addition to the default ones. */
  readonly options?: LaunchOptions | undefined;
}

/** Which conversations to keep. Those with a turn, a waiting message, a kept prompt or a schedule are always kept. */
export interface Retention {
  /** The maximum age, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** The maximum number to keep. */
  readonly maxCount?: number | undefined;
}

/** Options of a conversation. */
export interface ConversationOptions extends LaunchOptions {
  /** The owner; owners take turns at free slots. Default: `default`. */
  readonly owner?: string | undefined;
  /** Higher goes first. Default: 0. */
  readonly priority?: number | undefined;
  /**
   * Where it works: in its `cwd`, in its own git worktree from `HEAD` or another start, or in another folder. Default:
   * `shared`.
   */
  readonly workspace?: Workspace | undefined;
  /**
   * The CLI's id of the conversation: of an existing one on disk, or a UUID for a new one. Default: chosen by the CLI.
   */
  readonly id?: string | undefined;
  /** Names of tools whose calls are deferred, in addition to those of the manager. Default: none. */
  readonly defer?: readonly string[] | undefined;
  /** What it had used before it came here: its own budget counts that too. Default: nothing. */
  readonly usedBefore?: TurnUsage | undefined;
  /** Prompts that were open before it came here. @internal */
  readonly askedBefore?: readonly StoredPrompt[] | undefined;
}

/** Facts about a conversation that do not need its CLI. */
export interface ConversationFacts {
  /** Its name. */
  readonly name: string;
  /** The owner. */
  readonly owner: string;
  /** The priority in the queue; higher goes first. */
  readonly priority: number;
  /** What it is doing. */
  readonly state: ConversationState;
  /** The CLI's id of the conversation; undefined until its first turn. */
  readonly sessionId: string | undefined;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it was last used. */
  readonly usedAt: Date;
  /** The cost so far, in dollars. */
  readonly costUsd: number;
  /** The number of unsettled messages. */
  readonly messages: number;
  /** When its usage limit ends. */
  readonly limitUntil: Date | undefined;
  /** Why it failed. */
  readonly failure: string | undefined;
  /** Its schedule. */
  readonly schedule: Schedule | undefined;
}
