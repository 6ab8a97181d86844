import type { PromptView } from './prompts.js';

/**
 * Where a session is: it waits until another gives its place up (`waiting`), is `starting`, then idle, at work, or waits for a
 * person; it has no CLI until the next message comes (`parked`), or is over.
 */
export type ConsoleState = 'waiting' | 'starting' | 'idle' | 'running' | 'needs-you' | 'parked' | 'ended';

/** A session as a list shows it. */
export interface SessionSummary {
  /** The server's own id of the session; it stays the same over restarts, resumes and forks of the CLI's. */
  readonly id: string;
  /** The id of the conversation, as the CLI knows it. */
  readonly conversation: string | undefined;
  /** Its title. */
  readonly title: string;
  /** Its working folder. */
  readonly cwd: string;
  /** What it is doing. */
  readonly state: ConsoleState;
  /** Why it ended, where that was not asked for. */
  readonly error?: string | undefined;
  /** The version of its CLI. */
  readonly cliVersion: string | undefined;
  /** Its model. */
  readonly model: string | undefined;
  /** Its permission mode. */
  readonly permissionMode: string | undefined;
  /** The mode that a settings file asks for, where that is another one: it is shown, and not used. */
  readonly settingsMode?: SettingsMode | undefined;
  /** What lets it do more than ask, beside its mode, as far as the server knows: rules, hooks, servers. */
  readonly allows: readonly string[];
  /** The cap on thinking that was last set, by whatever client; undefined where there is none. No CLI tells it. */
  readonly maxThinkingTokens?: number | undefined;
  /** Who opened it: a page, or a program, whose hooks and tools stop when it is away. */
  readonly owner: {
    readonly name: string;
    readonly kind: 'page' | 'program';
    readonly away: boolean;
    /** The name of the key that it was opened with. */
    readonly key?: string | undefined;
  };
  /** How many clients are attached. */
  readonly viewers: number;
  /** The cost so far, in dollars. */
  readonly costUsd: number;
  /** The conversation was begun elsewhere, and what it cost there is not known: `costUsd` is the rest. */
  readonly costIsPartial?: boolean | undefined;
  /** The tokens that it has used. */
  readonly tokens: TokenCounts;
  /** How full the context is, as far as the messages tell. */
  readonly context: { readonly tokens: number; readonly window: number | undefined };
  /** What the CLI takes; undefined while nobody looked, and where the system does not tell. */
  readonly memory?: MemoryView | undefined;
  /** What it may cost, in dollars: a message beyond that waits for an answer to a `budget` prompt. */
  readonly maxBudgetUsd: number | undefined;
  /** What a person has to decide, oldest first, complete: it can be answered without attaching. */
  readonly prompts: readonly PromptView[];
  /** User messages that were taken and have not begun, by `uuid`. */
  readonly queued: readonly string[];
  /** The last event's number. */
  readonly last: number;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** When something last happened in it, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A permission mode that a settings file asks for. */
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
  /** How many processes. */
  readonly processes: number;
  /** Whether it takes much more than some minutes ago. */
  readonly growing: boolean;
  /** Whether it takes more than the server's limit; nothing is ended for that. */
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
