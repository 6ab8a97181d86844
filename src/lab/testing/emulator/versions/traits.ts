/** The versions that the emulator can play. */
export const emulatedVersions = ['2.0.73', '2.1.17', '2.1.325'] as const;

/** A version that the emulator can play. */
export type EmulatedVersion = (typeof emulatedVersions)[number];

/** Kinds of lines that end some CLIs. */
export type BadLine =
  | 'empty'
  | 'malformed'
  | 'null'
  | 'not-an-object'
  | 'unknown-type'
  | 'cancel'
  | 'request-without-body'
  | 'answer-without-body'
  | 'user-without-message'
  | 'environment';

/** How one CLI version behaves where versions differ; observed, not wished for. */
export interface Traits {
  readonly version: EmulatedVersion;
  /** Lines that end the process with code 1. */
  readonly fatalLines: ReadonlySet<BadLine>;
  /** What becomes of a request that the CLI does not know. */
  readonly unknownRequest: 'silent' | 'refused';
  /** Whether messages sent in the middle of a turn become one turn with one result. */
  readonly mergesQueuedMessages: boolean;
  /** Whether it reports `command_lifecycle` for messages that have a uuid. */
  readonly reportsLifecycle: boolean;
  /** Whether messages carry the many further keys of newer CLIs: timestamps, the uuids they answer, reasons. */
  readonly detailed: boolean;
  /** Whether results of a failed or interrupted turn say `is_error: true`. */
  readonly errorResultsAreErrors: boolean;
  /** Whether finished background work starts a turn that nobody asked for. */
  readonly runsUnaskedTurns: boolean;
  /** Whether an `allow` without `updatedInput` runs the original input; otherwise the call fails. */
  readonly updatedInputOptional: boolean;
  /** Whether an answered question must repeat `questions`. */
  readonly answersNeedQuestions: boolean;
  /** What a hook that does not answer in time does to the tool call. */
  readonly hookTimeout: 'proceeds' | 'blocks';
  /** Whether `PreToolUse` may change the input without deciding. */
  readonly hookMayOnlyUpdateInput: boolean;
  /** Whether a hook that says `ask` makes the CLI ask for a call that needs no permission. */
  readonly hookMayForceAsking: boolean;
  /** Whether `PermissionRequest` hooks fire. */
  readonly firesPermissionHooks: boolean;
  /** Whether the handshake with in-process servers starts at `initialize`; otherwise at the first message. */
  readonly earlyMcpHandshake: boolean;
  /** Whether MCP elicitations reach the host. */
  readonly elicits: boolean;
  /** Whether text said before an interrupt is kept as an `aborted` message. */
  readonly keepsAbortedText: boolean;
  /** Whether `bypassPermissions` may be set in a session that was not launched for it. */
  readonly bypassUnasked: boolean;
  /** Whether `mcp_set_servers` also replaces the servers that `initialize` named. */
  readonly replacesGivenServers: boolean;
  /** Kinds of API errors that an assistant message names; others are `unknown`. */
  readonly apiErrors: ReadonlySet<string>;
  /** Model ids by the names that a host may use. */
  readonly models: Readonly<Record<string, string>>;
}
