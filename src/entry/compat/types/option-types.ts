import type { RecordOptions } from '../../../wire/trace/record/recording.js';
import type { TraceSink } from '../../../wire/trace/record/trace-sink.js';
import type { AgentDefinition } from './agent-types.js';
import type { CanUseTool, HookCallbackMatcher, OnElicitation, OnUserDialog } from './callback-types.js';
import type { HookEvent } from './hook-types.js';
import type { McpServerConfig } from './mcp-types.js';
import type { PermissionMode } from './permission-types.js';
import type { SpawnedProcess, SpawnOptions } from './process-types.js';
import type { SandboxSettings, SettingSource, Settings } from './setting-types.js';
import type { SessionStore, SessionStoreFlush } from './store-types.js';

/** How much the model may think about it. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type SdkBeta = 'context-1m-2025-08-07';

export type ThinkingAdaptive = { type: 'adaptive'; display?: 'summarized' | 'omitted' };
export type ThinkingEnabled = {
  type: 'enabled';
  budgetTokens?: number;
  display?: 'summarized' | 'omitted';
};
export type ThinkingDisabled = { type: 'disabled' };
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;

export type OutputFormatType = 'json_schema';
export type BaseOutputFormat = { type: OutputFormatType };
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };
export type OutputFormat = JsonSchemaOutputFormat;

export type SdkPluginConfig = { type: 'local'; path: string; skipMcpDiscovery?: boolean };

export type ToolConfig = { askUserQuestion?: { previewFormat?: 'markdown' | 'html' } };

/** The whole prompt, or what is added to the CLI's own. */
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

/** The options of `query`, as the official SDK declares them, and a few of our own at the end. */
export type Options = {
  abortController?: AbortController;
  additionalDirectories?: string[];
  projectConfigRoot?: string;
  agent?: string;
  agents?: Record<string, AgentDefinition>;
  allowedTools?: string[];
  disallowedTools?: string[];
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  toolAliases?: Record<string, string>;
  toolConfig?: ToolConfig;
  canUseTool?: CanUseTool;
  permissionPromptToolName?: string;
  permissionPrompts?: 'host' | 'none';
  permissionMode?: PermissionMode;
  allowDangerouslySkipPermissions?: boolean;
  planModeInstructions?: string;
  continue?: boolean;
  resume?: string;
  forkSession?: boolean;
  sessionId?: string;
  resumeSessionAt?: string;
  resumeDropsTurn?: string;
  persistSession?: boolean;
  sessionStore?: SessionStore;
  sessionStoreFlush?: SessionStoreFlush;
  loadTimeoutMs?: number;
  cwd?: string;
  /** Replaces the environment of this process. */
  env?: { [variable: string]: string | undefined };
  executable?: 'bun' | 'deno' | 'node';
  executableArgs?: string[];
  extraArgs?: Record<string, string | null>;
  pathToClaudeCodeExecutable?: string;
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
  stderr?: (data: string) => void;
  debug?: boolean;
  debugFile?: string;
  model?: string;
  fallbackModel?: string;
  betas?: SdkBeta[];
  thinking?: ThinkingConfig;
  /** Use `thinking`. */
  maxThinkingTokens?: number;
  effort?: EffortLevel;
  maxTurns?: number;
  maxBudgetUsd?: number;
  taskBudget?: { total: number };
  outputFormat?: OutputFormat;
  includePartialMessages?: boolean;
  includeHookEvents?: boolean;
  forwardSubagentText?: boolean;
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  verbatimPrompts?: boolean;
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  onElicitation?: OnElicitation;
  onUserDialog?: OnUserDialog;
  supportedDialogKinds?: string[];
  perTaskStopAffordance?: boolean;
  mcpServers?: Record<string, McpServerConfig>;
  strictMcpConfig?: boolean;
  plugins?: SdkPluginConfig[];
  pluginDelivery?: 'argv' | 'initialize';
  settings?: string | Settings;
  sandbox?: SandboxSettings;
  managedSettings?: Settings;
  settingSources?: SettingSource[];
  skills?: string[] | 'all';
  systemPrompt?: SystemPrompt;
  title?: string;
  enableFileCheckpointing?: boolean;
  /** Writes everything that passes to this file or writer, secrets taken out. Coxswain's own. */
  record?: string | TraceSink | RecordOptions;
};
