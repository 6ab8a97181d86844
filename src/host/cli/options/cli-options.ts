import type { McpServerConfig } from '../../../wire/protocol/mcp-server-config.js';
import type { EndingTimes } from '../../../wire/transport/process/ending.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import type { EnvMode } from '../environment.js';

/** The permission modes of the CLIs, from asking to not asking; no CLI knows all of them. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'delegate',
  'bypassPermissions',
] as const;

/** One of the permission modes. */
export type PermissionMode = (typeof permissionModes)[number];

/** Which settings files are loaded. */
export type SettingSource = 'user' | 'project' | 'local';

/** How much work the model can put into an answer, least first. */
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** How much work the model puts into an answer. */
export type Effort = (typeof efforts)[number];

/** How the model may think before it answers. */
export type ThinkingOption =
  | { readonly type: 'adaptive'; readonly display?: ThinkingDisplay | undefined }
  | {
      readonly type: 'enabled';
      readonly budgetTokens?: number | undefined;
      readonly display?: ThinkingDisplay | undefined;
    }
  | { readonly type: 'disabled' };

/** How much of the thinking is shown. */
export type ThinkingDisplay = 'summarized' | 'omitted' | 'highlights';

/** A plugin folder on this machine. */
export interface LocalPlugin {
  /** `local`. */
  readonly type: 'local';
  /** The plugin's folder. */
  readonly path: string;
  /** Leaves the plugin's MCP servers alone. */
  readonly skipMcpDiscovery?: boolean | undefined;
}

/** The program, its surroundings and its end. */
export interface ProcessOptions {
  /** The CLI to run: a path, or a name to look up in PATH. */
  readonly cli?: string | undefined;
  /** The program that runs a CLI written in JavaScript; the host’s own Node if not given. */
  readonly executable?: string | undefined;
  /** Arguments for that program, before the path of the CLI. */
  readonly executableArgs?: readonly string[] | undefined;
  /** The working folder of the CLI; that of the host if not given. */
  readonly cwd?: string | undefined;
  /** Variables for the CLI; a variable set to undefined is removed. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether `env` extends the host’s environment (the default), replaces it, or extends a short list of harmless
   * variables.
   */
  readonly envMode?: EnvMode | undefined;
  /** What the CLI is told about who started it; `coxswain` if not given. */
  readonly entrypoint?: string | undefined;
  /** Says that this machine may be lost, so that root may bypass permissions. */
  readonly sandboxed?: boolean | undefined;
  /** Any other flags by name without dashes: a text for a value, null for a switch. */
  readonly extraArgs?: Readonly<Record<string, string | null>> | undefined;
  /** How long each step of the ending may take, in milliseconds: `eofMs`, `termMs`, `killMs`. */
  readonly ending?: EndingTimes | undefined;
  /** Given what the CLI writes on stderr, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /**
   * Told what is worth knowing and is not an error of the caller: skipped lines, callbacks that failed, a process that
   * will not end. A session without it writes failed callbacks to stderr, each once; null keeps it quiet.
   */
  readonly onDiagnostic?: OnDiagnostic | null | undefined;
  /** Lines of the CLI longer than this are skipped with a diagnostic; 64 Mi characters by default. */
  readonly maxLineLength?: number | undefined;
  /** How much may wait for a CLI that does not read before `send` refuses more; 64 MiB by default. */
  readonly maxUnsentBytes?: number | undefined;
}

/** Everything that reaches a CLI by its command line or its environment. The table is `cliOptionSpecs`. */
export interface CliOptions extends ProcessOptions {
  /** Folders besides `cwd` that tools may work in. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** The agent that the main conversation runs as. */
  readonly agent?: string | undefined;
  /** Lets the session change to `bypassPermissions` later. */
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  /** Tools and rules that run without asking, such as `Read` or `Bash(git:*)`. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Makes the CLI wait for the initialize request before it prepares the session. */
  readonly awaitInitialize?: boolean | undefined;
  /** Beta headers for the requests to the model; needs an API key. */
  readonly betas?: readonly string[] | undefined;
  /** Connects the CLI to the Chrome extension, or keeps it from that. Default: as its settings say. */
  readonly chrome?: boolean | undefined;
  /** Goes on with the newest conversation of the working folder. */
  readonly continue?: boolean | undefined;
  /** Turns on the CLI’s debug log, for all or for some categories. */
  readonly debug?: boolean | string | undefined;
  /** The file that the debug log goes to. */
  readonly debugFile?: string | undefined;
  /** Tools and rules that are always refused. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** How much work the model puts into an answer. */
  readonly effort?: Effort | undefined;
  /** Keeps copies of changed files, so that they can be rewound. */
  readonly enableFileCheckpointing?: boolean | undefined;
  /** The model to use when the first one is overloaded. */
  readonly fallbackModel?: string | undefined;
  /** Resumes into a new session id and leaves the old conversation as it is. */
  readonly forkSession?: boolean | undefined;
  /** Adds the running of hooks to the messages. */
  readonly includeHookEvents?: boolean | undefined;
  /** Settings with the rank of an administrator’s. */
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  /** The most that the session may cost, in dollars: the CLI ends turns past it, and nothing more is sent. */
  readonly maxBudgetUsd?: number | undefined;
  /** How many tokens the model may think with; 0 turns thinking off. */
  readonly maxThinkingTokens?: number | undefined;
  /** How many times the model is called for one user message at most. */
  readonly maxTurns?: number | undefined;
  /** MCP servers by name, as in an `.mcp.json` file. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** The model: an alias such as `sonnet`, or a full name. */
  readonly model?: string | undefined;
  /** A JSON schema that the answer must fit. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Adds the pieces of an answer to the messages while it is written. Default of a session: they come, but only
   * textDeltas() and messages({ partial: true }) show them; false keeps the CLI from sending them.
   */
  readonly partialMessages?: boolean | undefined;
  /** The permission mode to start in; without it the settings decide. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Who answers permission prompts: the host, or nobody. */
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  /** Where permission prompts go: `stdio` for the control protocol, or the name of an MCP tool. */
  readonly permissionPromptTool?: string | undefined;
  /** Set to false, the conversation is not written to disk and cannot be resumed. */
  readonly persistSession?: boolean | undefined;
  /** Plugins to load from folders. */
  readonly plugins?: readonly LocalPlugin[] | undefined;
  /** The folder whose project settings are loaded in place of those of `cwd`. */
  readonly projectConfigRoot?: string | undefined;
  /** Makes the CLI repeat each user message once it has taken it. */
  readonly replayUserMessages?: boolean | undefined;
  /** The id of the conversation to go on with. */
  readonly resume?: string | undefined;
  /** The turn that is dropped when resuming at a message. */
  readonly resumeDropsTurn?: string | undefined;
  /** The message up to which a resumed conversation is kept. */
  readonly resumeSessionAt?: string | undefined;
  /** Sandbox settings, merged into `settings`; an enabled sandbox that is not available is an error. */
  readonly sandbox?: Readonly<Record<string, unknown>> | undefined;
  /** The id that the session gets, so that it is known before the first message. */
  readonly sessionId?: string | undefined;
  /** Sends what is written to the transcript to the host as well. */
  readonly sessionMirror?: boolean | undefined;
  /** More settings: an object, or the path of a file. */
  readonly settings?: string | Readonly<Record<string, unknown>> | undefined;
  /** Which settings files are loaded: all if not given, none (with no CLAUDE.md either) if empty. */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Skills that may be used without asking. */
  readonly skills?: readonly string[] | 'all' | undefined;
  /** Uses only the MCP servers given here and none from settings files. */
  readonly strictMcpConfig?: boolean | undefined;
  /** How many tokens the model is told it has for the task. */
  readonly taskBudget?: { readonly total: number } | undefined;
  /** How the model may think: as it sees fit, with a budget, or not at all. */
  readonly thinking?: ThinkingOption | undefined;
  /** How built-in tools behave: the format of previews in questions. */
  readonly toolConfig?:
    | { readonly askUserQuestion?: { readonly previewFormat?: string | undefined } | undefined }
    | undefined;
  /** The built-in tools that exist at all: a list, none if it is empty, or the preset with all. */
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: string } | undefined;
  /** A label of the kind of work, for the usage reports. */
  readonly workload?: string | undefined;
}
