import type { SessionOptions } from '../../host/session/session-options.js';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import type { Budgets } from './money/spending.js';
import type { Schedule } from './schedules/schedule.js';
import type { Workspace } from './workspaces/workspace.js';

/** What a message does while a turn of the same conversation runs or waits. */
export type WhileBusy = 'enqueue' | 'join' | 'reject' | 'interrupt' | 'replace';

/** Launch options of a conversation; its id and its resuming are the manager's own. */
export type LaunchOptions = Omit<
  SessionOptions,
  'resume' | 'continue' | 'sessionId' | 'forkSession' | 'reopen'
>;

/** Everything that `openManager` takes. */
export interface ManagerOptions {
  /** The folder in which conversations are kept. One manager at a time. */
  readonly store: string;
  /** How many CLIs may run at once. Default: 8. */
  readonly maxRunning?: number | undefined;
  /** Parks a conversation after so much idle time, in milliseconds. Default: 10 minutes. */
  readonly idleMs?: number | undefined;
  /**
   * How many CLIs to keep started ahead for new conversations with the default options, or how many for each set of
   * options. Default: 0.
   */
  readonly warm?: number | readonly WarmClis[] | undefined;
  /** Ends a CLI that was started ahead if nobody claims it, after so many milliseconds. Default: 10 minutes. */
  readonly warmMs?: number | undefined;
  /** Launch options of every conversation. */
  readonly defaults?: LaunchOptions | undefined;
  /**
   * Launch options of one conversation, asked for at each start of its CLI, also after a restart: callbacks, hooks,
   * servers and keys, which are never stored.
   */
  readonly optionsFor?: ((conversation: ConversationFacts) => LaunchOptions) | undefined;
  /**
   * Which tool calls wait for an answer without a CLI: the conversation is parked meanwhile, and the call is in
   * `keptPrompts`. A CLI that cannot do that asks as usual. Default: none.
   */
  readonly defer?: ((call: DeferrableCall) => boolean) | undefined;
  /** What to do at a usage limit: wait until it ends and go on, or settle the turn. Default: wait. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Conversations that wait for the same limit go on within so many milliseconds. Default: 1 minute. */
  readonly limitSpreadMs?: number | undefined;
  /** What may be spent before the manager asks, in US dollars. Default: no limit. */
  readonly budgets?: Budgets | undefined;
  /** Deletes conversations that were not used for so long, or the oldest past a count. Default: keeps all. */
  readonly retention?: Retention | undefined;
}

/** A tool call that may wait for its answer without a CLI. */
export interface DeferrableCall {
  /** The name of the conversation. */
  readonly conversation: string;
  /** The tool. */
  readonly tool: string;
  /** The input of the call. */
  readonly input: unknown;
}

/** CLIs that are started ahead for new conversations with the same options. */
export interface WarmClis {
  /** How many. */
  readonly count: number;
  /** What their conversations are opened with, beside the default options. */
  readonly options?: LaunchOptions | undefined;
}

/** Which conversations are kept. Those with a turn or a waiting message always are. */
export interface Retention {
  /** How old one may get, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** How many are kept. */
  readonly maxCount?: number | undefined;
}

/** How a conversation is opened. */
export interface ConversationOptions extends LaunchOptions {
  /** Who it belongs to: owners take turns at the places that are free. Default: `default`. */
  readonly owner?: string | undefined;
  /** Higher goes first. Default: 0. */
  readonly priority?: number | undefined;
  /** Where it works: in its `cwd`, in a git worktree of its own, or in another folder. Default: `shared`. */
  readonly workspace?: Workspace | undefined;
  /** The CLI's id of it: of a conversation that a CLI has on disk, or a UUID for a new one. Default: the CLI's own. */
  readonly id?: string | undefined;
  /** What it had used before it came here: its own budget counts that too. Default: nothing. */
  readonly usedBefore?: TurnUsage | undefined;
}

/** What is known of a conversation without its CLI. */
export interface ConversationFacts {
  /** Its name. */
  readonly name: string;
  /** Whose it is. */
  readonly owner: string;
  /** How soon it comes when others wait too; higher comes first. */
  readonly priority: number;
  /** What it is doing. */
  readonly state: ConversationState;
  /** The CLI's id of it; undefined until its first turn. */
  readonly sessionId: string | undefined;
  /** When it was begun. */
  readonly createdAt: Date;
  /** When it was last used. */
  readonly usedAt: Date;
  /** What it has cost, in dollars. */
  readonly costUsd: number;
  /** Messages that have not settled. */
  readonly messages: number;
  /** When its usage limit ends. */
  readonly limitUntil: Date | undefined;
  /** Why it failed. */
  readonly failure: string | undefined;
  /** What is sent to it at which times. */
  readonly schedule: Schedule | undefined;
}

/**
 * Where a conversation is: it has no CLI (`parked`), waits for a place (`queued`), for its CLI (`starting`), for a usage
 * limit (`limited`), for a decision about money (`paused`) or for the answer to a deferred call (`deferred`), has a CLI (`running`), or needs somebody to act (`failed`).
 */
export type ConversationState =
  | 'parked'
  | 'queued'
  | 'starting'
  | 'running'
  | 'limited'
  | 'paused'
  | 'deferred'
  | 'failed'
  | 'deleted';
