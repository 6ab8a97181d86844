import type { WireObject } from '../../../wire/protocol/frames.js';

/** What a client asks for when it opens a session. */
export interface OpenRequest extends Omit<OpenParams, 'cwd'> {
  /** The working folder. Default: the first of the server's roots. */
  readonly cwd?: string | undefined;
}

/** Options for opening a session. */
export interface OpenParams {
  /**
   * The id of the new session, a UUID, for clients that attach before it is ready. An existing ended session is
   * reopened.
   */
  readonly id?: string | undefined;
  /** With `id`: an existing session is left as it is, and gets a CLI if it has none. */
  readonly join?: boolean | undefined;
  /** The working folder. */
  readonly cwd: string;
  /** The title. */
  readonly title?: string | undefined;
  /** The model. */
  readonly model?: string | undefined;
  /** The permission mode. */
  readonly permissionMode?: string | undefined;
  /** The thinking limit; null for none, overriding the server and the program. */
  readonly maxThinkingTokens?: number | null | undefined;
  /** How much effort the model puts into an answer: a level that the CLI offers for the model, such as `high`. */
  readonly effort?: string | undefined;
  /** Whether the CLI connects to the Chrome extension. Default: set by its settings. */
  readonly chrome?: boolean | undefined;
  /** The conversation to resume. */
  readonly resume?: string | undefined;
  /** Resumes under a new id. */
  readonly forkSession?: boolean | undefined;
  /** With `resume` and `forkSession`: the copy ends before this message, by its `uuid`. */
  readonly before?: string | undefined;
  /** The budget of the session, in dollars. */
  readonly maxBudgetUsd?: number | undefined;
  /**
   * Names of tools whose calls are deferred: the session waits for the answer without a CLI, and the prompt stays open. A
   * program that answers its own hooks cannot set it. Default: none.
   */
  readonly defer?: readonly string[] | undefined;
  /** Where it works: in the folder (default), or in a new git worktree made from it. */
  readonly workspace?: 'shared' | 'worktree' | undefined;
  /**
   * MCP servers to disable as soon as the session is ready. A disabled server stays disabled when the session is
   * reopened.
   */
  readonly disabledServers?: readonly string[] | undefined;
  /** Which worker of a fleet it needs; a console that starts CLIs itself refuses it. */
  readonly place?: PlaceParams | undefined;
  /** For programs: the launch of their own session. */
  readonly program?: ProgramParams | undefined;
}

/** Which worker of a fleet a session needs. */
export interface PlaceParams {
  /** Conversations with a higher priority start first when slots are scarce. Default: 0. */
  readonly priority?: number | undefined;
  /** The labels that its worker must have. Default: none. */
  readonly labels?: readonly string[] | undefined;
  /** The version of its worker's CLI, or the start of one: `2.1` for any 2.1. Default: any. */
  readonly cli?: string | undefined;
}

/** The options of a program. */
export interface ProgramParams {
  /** Command-line options, as for `openSession`; some are reserved for the server. */
  readonly options: WireObject;
  /** The body of the program's `initialize`: hooks, in-process MCP servers, system prompt … */
  readonly initialize: WireObject;
  /**
   * The session does not need the program: it is parked, resumed and kept like one of a page. Hooks and in-process servers
   * are left out. Default: false.
   */
  readonly detached?: boolean | undefined;
}

/** What is stored of a session besides its messages, as plain data without secrets. */
export interface SessionExport {
  /** The launch options that it was opened with. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The names of the tools whose calls are deferred. */
  readonly defer?: readonly string[] | undefined;
  /** Unsettled messages, in order. */
  readonly waiting: readonly { readonly id: string; readonly input: string | readonly WireObject[] }[];
  /** Prompts whose CLI has ended. */
  readonly prompts: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
}
