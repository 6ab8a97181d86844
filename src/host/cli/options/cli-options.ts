import type { McpServerConfig } from '../../../wire/protocol/mcp-server-config.js';
import type { EndingTimes } from '../../../wire/transport/process/ending.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import type { EnvMode } from '../environment.js';
import type { Spawner } from '../spawner.js';

/** The permission modes of the CLIs, from strict to permissive; no CLI knows all of them. */
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

/** How much effort the model puts into an answer. */
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

/** The program, its environment and its shutdown. */
export interface ProcessOptions {
  /** The CLI to run: a path, or a name to look up in PATH. */
  readonly cli?: string | undefined;
  /** The program that runs a CLI written in JavaScript. Default: the host’s own Node. */
  readonly executable?: string | undefined;
  /** Arguments for that program, before the path of the CLI. */
  readonly executableArgs?: readonly string[] | undefined;
  /** The working folder of the CLI. Default: the host’s. */
  readonly cwd?: string | undefined;
  /**
   * Where and as whom the CLI runs: a sandbox, a container or another machine, from `coxswain/spawners`. It gets the
   * environment of `envMode: 'isolated'` unless you set another. Default: a process of this user on this machine.
   */
  readonly spawner?: Spawner | undefined;
  /**
   * A config folder for this CLI alone: settings, memory, plugins and transcripts. The login stays where it is without
   * this option, because a copy would end when the other is renewed; old CLIs find none (`LOGIN_NOT_FOUND`). Default:
   * the folder that `env` names, or `~/.claude`.
   */
  readonly configDir?: string | undefined;
  /** Variables for the CLI; a variable set to undefined is removed. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether `env` extends the host’s environment, replaces it, or extends a short list: basic variables, and the
   * address and key of the model. Default: `extend`.
   */
  readonly envMode?: EnvMode | undefined;
  /** How the host identifies itself to the CLI. Default: `coxswain`. */
  readonly entrypoint?: string | undefined;
  /** Declares this machine disposable, so that root may bypass permissions. */
  readonly sandboxed?: boolean | undefined;
  /**
   * Other flags, by name without dashes: a string for a value, null for a switch, `{ privateFile: text }` for the path
   * of a file with this text that only you can read and that is removed with the CLI.
   */
  readonly extraArgs?: Readonly<Record<string, string | null | { readonly privateFile: string }>> | undefined;
  /** How long each shutdown step may take, in milliseconds: `eofMs`, `termMs`, `killMs`. */
  readonly ending?: EndingTimes | undefined;
  /** Receives what the CLI writes to stderr. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /**
   * Receives diagnostics: skipped lines, failed callbacks, a process that does not end. Without it, a session writes
   * each failed callback to stderr once; null turns that off.
   */
  readonly onDiagnostic?: OnDiagnostic | null | undefined;
  /** CLI lines longer than this are skipped with a diagnostic. Default: 64 Mi characters. */
  readonly maxLineLength?: number | undefined;
  /** How many bytes may wait for a CLI that does not read before `send` refuses more. Default: 64 MiB. */
  readonly maxUnsentBytes?: number | undefined;
}

/** Everything that reaches a CLI through its command line or environment. The table is `cliOptionSpecs`. */
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
  /** Whether the CLI connects to the Chrome extension. Default: set by its settings. */
  readonly chrome?: boolean | undefined;
  /** Continues the newest conversation of the working folder. */
  readonly continue?: boolean | undefined;
  /** Turns on the CLI’s debug log for all or some categories. */
  readonly debug?: boolean | string | undefined;
  /** The file for the debug log. */
  readonly debugFile?: string | undefined;
  /** Tools and rules that are always refused. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** How much effort the model puts into an answer. */
  readonly effort?: Effort | undefined;
  /** Keeps copies of changed files, so you can rewind them. */
  readonly enableFileCheckpointing?: boolean | undefined;
  /** The model to use when the first one is overloaded. */
  readonly fallbackModel?: string | undefined;
  /** Resumes under a new session id and leaves the old conversation unchanged. */
  readonly forkSession?: boolean | undefined;
  /** Includes messages about hook runs. */
  readonly includeHookEvents?: boolean | undefined;
  /** Settings with the precedence of administrator settings. */
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  /** The maximum cost of the session, in dollars. The CLI ends turns that exceed it, and nothing more is sent. */
  readonly maxBudgetUsd?: number | undefined;
  /** The maximum number of thinking tokens; 0 turns thinking off. */
  readonly maxThinkingTokens?: number | undefined;
  /** The maximum number of model calls for one user message. */
  readonly maxTurns?: number | undefined;
  /** MCP servers by name, as in an `.mcp.json` file. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** The model: an alias such as `sonnet`, or a full name. */
  readonly model?: string | undefined;
  /** A JSON Schema that the answer must match. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Adds the pieces of an answer to the messages while it streams. Default for a session: the CLI sends them, but only
   * textDeltas() and messages({ partial: true }) show them. False stops the CLI from sending them.
   */
  readonly partialMessages?: boolean | undefined;
  /** The permission mode to start in. Default: set by the settings. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Who answers permission prompts: the host, or nobody. */
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  /** Where permission prompts go: `stdio` for the control protocol, or the name of an MCP tool. */
  readonly permissionPromptTool?: string | undefined;
  /** If false, the conversation is not written to disk and cannot be resumed. */
  readonly persistSession?: boolean | undefined;
  /** Plugins to load from folders. */
  readonly plugins?: readonly LocalPlugin[] | undefined;
  /** The folder whose project settings are loaded instead of those of `cwd`. */
  readonly projectConfigRoot?: string | undefined;
  /** Makes the CLI echo each user message once it has accepted it. */
  readonly replayUserMessages?: boolean | undefined;
  /** The id of the conversation to resume. */
  readonly resume?: string | undefined;
  /** The turn to drop when resuming at a message. */
  readonly resumeDropsTurn?: string | undefined;
  /** The last message of the resumed conversation to keep. */
  readonly resumeSessionAt?: string | undefined;
  /** Sandbox settings, merged into `settings`; an enabled sandbox that is not available is an error. */
  readonly sandbox?: Readonly<Record<string, unknown>> | undefined;
  /** The id of the session, so you know it before the first message. */
  readonly sessionId?: string | undefined;
  /** Also sends every transcript entry to the host. */
  readonly sessionMirror?: boolean | undefined;
  /** More settings: an object, or the path of a file. */
  readonly settings?: string | Readonly<Record<string, unknown>> | undefined;
  /** Which settings files are loaded. Default: all. An empty list loads none, and no CLAUDE.md either. */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Skills that may be used without asking. */
  readonly skills?: readonly string[] | 'all' | undefined;
  /** Uses only the MCP servers in `mcpServers`, and none from settings files. */
  readonly strictMcpConfig?: boolean | undefined;
  /** The token budget for the task; the model is told about it. */
  readonly taskBudget?: { readonly total: number } | undefined;
  /** How the model thinks: adaptively, with a budget, or not at all. */
  readonly thinking?: ThinkingOption | undefined;
  /** Settings of built-in tools: the preview format in questions. */
  readonly toolConfig?:
    | { readonly askUserQuestion?: { readonly previewFormat?: string | undefined } | undefined }
    | undefined;
  /** The built-in tools that are available: a list (an empty one for none), or the preset for all. */
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: string } | undefined;
  /** A label for the kind of work, for usage reports. */
  readonly workload?: string | undefined;
}
