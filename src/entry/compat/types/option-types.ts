import type { RecordOptions } from '../../../wire/trace/record/recording.js';
import type { RecordTarget } from '../../../wire/trace/record/trace-sink.js';
import type { AgentDefinition } from './agent-types.js';
import type { CanUseTool, HookCallbackMatcher, OnElicitation, OnUserDialog } from './callback-types.js';
import type { HookEvent } from './hook-types.js';
import type { McpServerConfig } from './mcp-types.js';
import type { PermissionMode } from './permission-types.js';
import type { SpawnedProcess, SpawnOptions } from './process-types.js';
import type { SettingSource } from './setting-types.js';
import type { SandboxSettings } from './settings/sandbox-settings.js';
import type { Settings } from './settings/settings.js';
import type { SessionStore, SessionStoreFlush } from './store-types.js';

/** How much effort the model puts into an answer. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** A beta feature that can be requested. */
export type SdkBeta = 'context-1m-2025-08-07';

/** Adaptive thinking. */
export type ThinkingAdaptive = { type: 'adaptive'; display?: 'summarized' | 'omitted' };
/** Thinking with a budget. */
export type ThinkingEnabled = {
  type: 'enabled';
  budgetTokens?: number;
  display?: 'summarized' | 'omitted';
};
/** No thinking. */
export type ThinkingDisabled = { type: 'disabled' };
/** How the model thinks. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;

/** The kinds of output formats. */
export type OutputFormatType = 'json_schema';
/** The common fields of output formats. */
export type BaseOutputFormat = { type: OutputFormatType };
/** A JSON Schema for the answer. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };
/** The required format of the answer. */
export type OutputFormat = JsonSchemaOutputFormat;

/** A plugin to load from a folder. */
export type SdkPluginConfig = { type: 'local'; path: string; skipMcpDiscovery?: boolean };

/** Settings of built-in tools. */
export type ToolConfig = { askUserQuestion?: { previewFormat?: 'markdown' | 'html' } };

/** The whole prompt, or text to append to the CLI's own. */
export type SystemPrompt =
  | string
  | string[]
  | { type: 'custom'; prompt: string | string[]; snapshot?: boolean }
  | {
      type: 'preset';
      preset: 'claude_code';
      append?: string;
      excludeDynamicSections?: boolean;
      snapshot?: boolean;
    };

/** The options of `query`, as the official SDK declares them. */
export type Options = {
  /** Ends the query when aborted. */
  abortController?: AbortController;
  /** Folders besides `cwd` that tools may work in. */
  additionalDirectories?: string[];
  /** The folder whose project settings are loaded instead of those of `cwd`. */
  projectConfigRoot?: string;
  /** The agent that the main conversation runs as. */
  agent?: string;
  /** Subagents of this session, by name. */
  agents?: Record<string, AgentDefinition>;
  /** Tools and rules that run without asking, such as `Read` or `Bash(git:*)`. */
  allowedTools?: string[];
  /** Tools and rules that are always refused. */
  disallowedTools?: string[];
  /** The built-in tools that are available: a list (an empty one for none), or the preset for all. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Aliases for tools. */
  toolAliases?: Record<string, string>;
  /** Settings of built-in tools: the preview format in questions. */
  toolConfig?: ToolConfig;
  /** Decides about tool calls that the rules leave open. */
  canUseTool?: CanUseTool;
  /** The MCP tool that answers permission prompts, instead of `canUseTool`. */
  permissionPromptToolName?: string;
  /** Who answers permission prompts: the host, or nobody. */
  permissionPrompts?: 'host' | 'none';
  /** The permission mode to start in. Default: set by the settings. */
  permissionMode?: PermissionMode;
  /** Lets the session change to `bypassPermissions` later. */
  allowDangerouslySkipPermissions?: boolean;
  /** Instructions for the model in plan mode. */
  planModeInstructions?: string;
  /** Continues the newest conversation of the working folder. */
  continue?: boolean;
  /** The id of the conversation to resume. */
  resume?: string;
  /** Resumes under a new session id and leaves the old conversation unchanged. */
  forkSession?: boolean;
  /** The id of the session, so you know it before the first message. */
  sessionId?: string;
  /** The last message of the resumed conversation to keep. */
  resumeSessionAt?: string;
  /** The turn to drop when resuming at a message. */
  resumeDropsTurn?: string;
  /** If false, the conversation is not written to disk and cannot be resumed. */
  persistSession?: boolean;
  /** A store for the transcript; a resumed session is read from it. */
  sessionStore?: SessionStore;
  /** When entries go to `sessionStore`: in batches, or each immediately. */
  sessionStoreFlush?: SessionStoreFlush;
  /** How long `sessionStore` may take to load a session, in milliseconds. */
  loadTimeoutMs?: number;
  /** The working folder of the CLI. Default: the host’s. */
  cwd?: string;
  /** The environment of the CLI. It replaces that of this process. */
  env?: { [variable: string]: string | undefined };
  /** The runtime for a CLI written in JavaScript. */
  executable?: 'bun' | 'deno' | 'node';
  /** Arguments for that program, before the path of the CLI. */
  executableArgs?: string[];
  /** Other flags, by name without dashes: a string for a value, null for a switch. */
  extraArgs?: Record<string, string | null>;
  /** The CLI to run. Default: the one that is found. */
  pathToClaudeCodeExecutable?: string;
  /** Starts the CLI instead of Coxswain: in a container, or on another machine. */
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
  /** Receives what the CLI writes to stderr. */
  stderr?: (data: string) => void;
  /** Turns on the CLI’s debug log for all or some categories. */
  debug?: boolean;
  /** The file for the debug log. */
  debugFile?: string;
  /** The model: an alias such as `sonnet`, or a full name. */
  model?: string;
  /** The model to use when the first one is overloaded. */
  fallbackModel?: string;
  /** Beta headers for the requests to the model; needs an API key. */
  betas?: SdkBeta[];
  /** How the model thinks: adaptively, with a budget, or not at all. */
  thinking?: ThinkingConfig;
  /** The maximum number of thinking tokens. Use `thinking` instead. */
  maxThinkingTokens?: number;
  /** How much effort the model puts into an answer. */
  effort?: EffortLevel;
  /** The maximum number of model calls for one user message. */
  maxTurns?: number;
  /** The maximum cost of the session, in dollars. The CLI ends turns that exceed it, and nothing more is sent. */
  maxBudgetUsd?: number;
  /** The token budget for the task; the model is told about it. */
  taskBudget?: { total: number };
  /** A JSON Schema for the answer; the result has the value as `structured_output`. */
  outputFormat?: OutputFormat;
  /** Adds the pieces of an answer to the messages while it is written. */
  includePartialMessages?: boolean;
  /** Includes messages about hook runs. */
  includeHookEvents?: boolean;
  /** Forwards the text that subagents write. */
  forwardSubagentText?: boolean;
  /** Asks for a suggested next prompt after each turn. */
  promptSuggestions?: boolean;
  /** Asks for progress summaries of subagents. */
  agentProgressSummaries?: boolean;
  /** Sends prompts unchanged: a leading `/` is not a command. */
  verbatimPrompts?: boolean;
  /** Functions that the CLI calls on its events, by event name. */
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  /** Answers the questions of MCP servers; without it they are declined. */
  onElicitation?: OnElicitation;
  /** Shows the dialogs listed in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog;
  /** The kinds of dialogs that this host can show. */
  supportedDialogKinds?: string[];
  /** Declares that this host lets users stop single tasks. */
  perTaskStopAffordance?: boolean;
  /** MCP servers by name: configurations, and servers made with `createSdkMcpServer`. */
  mcpServers?: Record<string, McpServerConfig>;
  /** How servers that the CLI starts or connects to reach it: on its command line, or in `initialize`. */
  mcpServersDelivery?: 'argv' | 'initialize';
  /** Uses only the MCP servers in `mcpServers`, and none from settings files. */
  strictMcpConfig?: boolean;
  /** Plugins to load from folders. */
  plugins?: SdkPluginConfig[];
  /** How plugins reach the CLI: on its command line, or in `initialize`. */
  pluginDelivery?: 'argv' | 'initialize';
  /** More settings: an object, or the path of a file. */
  settings?: string | Settings;
  /** Sandbox settings, merged into `settings`; an enabled sandbox that is not available is an error. */
  sandbox?: SandboxSettings;
  /** Settings with the precedence of administrator settings. */
  managedSettings?: Settings;
  /** Which settings files are loaded. Default: all. An empty list loads none, and no CLAUDE.md either. */
  settingSources?: SettingSource[];
  /** Skills that may be used without asking: their names, or `all`. */
  skills?: string[] | 'all';
  /** The system prompt: your own, or the CLI's with an appendix. Default: an empty one. */
  systemPrompt?: SystemPrompt;
  /** The conversation's title. */
  title?: string;
  /** Keeps copies of changed files, so you can rewind them. */
  enableFileCheckpointing?: boolean;
};

/** The additional parameters of `query` and `startup`. */
export type OwnParams = {
  /** Records all traffic to this file or writer, with secrets removed. */
  record?: RecordTarget | RecordOptions;
};
