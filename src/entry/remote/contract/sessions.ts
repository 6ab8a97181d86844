import type { LoginLimits } from '../../../wire/protocol/reading/plan-limits.js';
import type { PromptView } from './prompts.js';

/**
 * The state of a session: waiting for a slot (`waiting`), `starting`, idle, running, waiting for an answer
 * (`needs-you`), for the end of a usage limit (`limited`) or for the answer to a deferred call (`deferred`), without a
 * CLI until the next message (`parked`), or ended.
 */
export type ConsoleState =
  | 'waiting'
  | 'starting'
  | 'idle'
  | 'running'
  | 'needs-you'
  | 'limited'
  | 'deferred'
  | 'parked'
  | 'ended';

/** A session as a list shows it. */
export interface SessionSummary {
  /**
   * The server's own id of the session; it stays the same across restarts, resumes and forks of the CLI's conversation.
   */
  readonly id: string;
  /** The CLI's id of the conversation. */
  readonly conversation: string | undefined;
  /** Its title. */
  readonly title: string;
  /** The name under which a program opened it; unlike the title, it stays the same. */
  readonly name?: string | undefined;
  /** True if it is pinned: lists show it first. */
  readonly pinned?: boolean | undefined;
  /** True if it is archived: lists hide it until it is reopened or gets a message. */
  readonly archived?: boolean | undefined;
  /** Its tags, in the order in which they were given. */
  readonly tags?: readonly string[] | undefined;
  /** Its working folder. */
  readonly cwd: string;
  /** If the server has made a git worktree for it: the repository. */
  readonly repository?: string | undefined;
  /** What it is doing. */
  readonly state: ConsoleState;
  /** Why it ended unexpectedly. */
  readonly error?: string | undefined;
  /** True if its CLI ended too often in a row: it stays ended until somebody reopens it. */
  readonly failed?: boolean | undefined;
  /** While it is `limited`: when the usage limit ends, as an ISO date. */
  readonly limitUntil?: string | undefined;
  /** The usage limits of its login, as its CLI reported them last; undefined with an API key and on old CLIs. */
  readonly limits?: LoginLimits | undefined;
  /** The version of its CLI. */
  readonly cliVersion: string | undefined;
  /** Its model. */
  readonly model: string | undefined;
  /** Its permission mode. */
  readonly permissionMode: string | undefined;
  /** The mode set by a settings file, if it differs; it is shown but not used. */
  readonly settingsMode?: SettingsMode | undefined;
  /** The sandbox that its CLI runs in, such as `bubblewrap`; undefined without one. */
  readonly sandbox?: string | undefined;
  /** What lets it act without asking, besides its mode, as far as the server knows: rules, hooks, servers. */
  readonly allows: readonly string[];
  /** The thinking limit that a client last set; undefined if there is none. CLIs do not report it. */
  readonly maxThinkingTokens?: number | undefined;
  /** Who opened it: a page, or a program, whose hooks and tools stop while it is disconnected. */
  readonly owner: {
    readonly name: string;
    readonly kind: 'page' | 'program';
    readonly away: boolean;
    /** The name of the key that it was opened with. */
    readonly key?: string | undefined;
  };
  /** On a fleet: its priority, if slots are scarce; higher goes first. */
  readonly priority?: number | undefined;
  /** The number of attached clients that keep its CLI from being parked. */
  readonly viewers: number;
  /** The cost so far, in dollars. */
  readonly costUsd: number;
  /** True if the conversation started elsewhere with unknown costs; `costUsd` covers only the rest. */
  readonly costIsPartial?: boolean | undefined;
  /** The tokens used so far. */
  readonly tokens: TokenCounts;
  /** The use of the context window, as reported by messages. */
  readonly context: { readonly tokens: number; readonly window: number | undefined };
  /** The memory of the CLI; undefined before the first measurement, and if the system does not report it. */
  readonly memory?: MemoryView | undefined;
  /** What it may cost, in dollars: a message beyond that waits for an answer to a `budget` prompt. */
  readonly maxBudgetUsd: number | undefined;
  /** Its schedule, if it has one. */
  readonly schedule?: ScheduleView | undefined;
  /** The open prompts in full, oldest first; a client can answer them without attaching. */
  readonly prompts: readonly PromptView[];
  /** Accepted user messages that have not started, by `uuid`. */
  readonly queued: readonly string[];
  /** The last event's number. */
  readonly last: number;
  /** The time, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The time of its last event, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** When a session gets a message, and which. */
export interface ScheduleParams {
  /** The times, as a cron expression: `0 9 * * 1-5` is nine o'clock from Monday to Friday. */
  readonly cron: string;
  /** The time zone of these times, such as `Europe/Rome`. */
  readonly timezone: string;
  /** What is sent. */
  readonly text: string;
  /** What to do about times when no server was running: nothing, or one message for all of them. Default: `skip`. */
  readonly missed?: 'skip' | 'once' | undefined;
}

/** A schedule with its next time. */
export interface ScheduleView extends ScheduleParams {
  /** The next time, in milliseconds since 1970; undefined if there is none. */
  readonly nextAt?: number | undefined;
}

/** A permission mode set by a settings file. */
export interface SettingsMode {
  /** The mode that it sets. */
  readonly mode: string;
  /** The settings file. */
  readonly file: string;
}

/** The memory of a CLI and of the processes that it has started. */
export interface MemoryView {
  /** The memory of all of them. */
  readonly bytes: number;
  /** The number of processes. */
  readonly processes: number;
  /** Whether it uses much more than some minutes ago. */
  readonly growing: boolean;
  /** Whether it uses more than the server's limit; this ends nothing. */
  readonly over: boolean;
}

/** Tokens of a session so far. */
export interface TokenCounts {
  /** Read without the cache. */
  readonly input: number;
  /** Written by the model. */
  readonly output: number;
  /** Read from the cache. */
  readonly cacheRead: number;
  /** Written to the cache. */
  readonly cacheCreation: number;
}
