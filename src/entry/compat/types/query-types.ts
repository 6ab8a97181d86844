import type { HostAnswer } from '../../../wire/protocol/catalog/types.js';
import type { AgentDefinition } from './agent-types.js';
import type { Declared, Refined } from './declared.js';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from './mcp-types.js';
import type { SDKMessage, SDKUserMessage } from './message-types.js';
import type { EffortLevel, SdkPluginConfig } from './option-types.js';
import type { PermissionMode } from './permission-types.js';
import type { Settings } from './settings/settings.js';
import type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from './usage-types.js';
import type { ApiProvider, FastModeDisabledReason, FastModeState } from './words.js';

export type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from './usage-types.js';

/** The CLI's answer to the handshake. */
export type SDKControlInitializeResponse = Refined<
  Declared<HostAnswer<'initialize'>>,
  {
    agents: AgentInfo[];
    models: ModelInfo[];
    account: AccountInfo;
    sdk_mcp_manifests_parked?: Record<
      string,
      'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured'
    >;
    fast_mode_state?: FastModeState;
    fast_mode_disabled_reason?: FastModeDisabledReason;
  }
>;
/** The effect on waiting messages. */
export type SDKControlInterruptResponse = { still_queued: string[]; cancelled?: string[] };
/** A file. */
export type SDKControlReadFileResponse = Refined<Declared<HostAnswer<'read_file'>>, { encoding?: 'base64' }>;
/** The plugins that were found. */
export type SDKControlReloadPluginsResponse = Refined<
  Declared<HostAnswer<'reload_plugins'>>,
  {
    agents: AgentInfo[];
    mcpServers: McpServerStatus[];
    cache_impact?: {
      mcp_servers_added: string[];
      mcp_servers_removed: string[];
      lsp_tool_change: 'adds' | 'may-add' | 'removes' | 'may-remove' | null;
    };
  }
>;
/** The skills that were found. */
export type SDKControlReloadSkillsResponse = Declared<HostAnswer<'reload_skills'>>;
/** The output styles that were found. */
export type SDKControlReloadOutputStylesResponse = Declared<HostAnswer<'reload_output_styles'>>;
/** A resource of an MCP server. */
export type SDKControlMcpReadResourceResponse = Declared<HostAnswer<'mcp_read_resource'>>;
/** The result of a rewind. */
export type RewindFilesResult = Refined<Declared<HostAnswer<'rewind_files'>>, { canRewind: boolean }>;
/** A slash command that the CLI offers. */
export type SlashCommand = SDKControlInitializeResponse['commands'][number];
/** A model that the CLI offers. */
export type ModelInfo = Refined<
  Declared<HostAnswer<'initialize'>>['models'][number],
  { supportedEffortLevels?: EffortLevel[] }
>;
/** An agent that the CLI offers. */
export type AgentInfo = { name: string; description: string; model?: string };
/** The account or key that the CLI uses. */
export type AccountInfo = Refined<
  Declared<HostAnswer<'initialize'>>['account'],
  { apiProvider?: ApiProvider }
>;

/** A running conversation: its messages and its control methods. */
export interface Query extends AsyncGenerator<SDKMessage, void>, AsyncDisposable {
  /** Stops the running turn. */
  interrupt(options?: { cancelQueued?: boolean }): Promise<SDKControlInterruptResponse | undefined>;
  /** Switches the permission mode. */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Sets a permission mode for one server's tools. */
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }>;
  /** Sets the model. */
  setModel(model?: string): Promise<void>;
  /** Limits the tokens spent on thinking. */
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void>;
  /** Changes settings for this session. */
  applyFlagSettings(
    settings: {
      [Key in keyof Settings]?: Key extends 'effortLevel' ? EffortLevel | null : Settings[Key] | null;
    },
  ): Promise<void>;
  /** Writes settings to a file. */
  updateSettings(source: 'localSettings' | 'userSettings', settings: Record<string, unknown>): Promise<void>;
  /** Returns the answer to `initialize`. */
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /** Completes the handshake again. */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  /** Lists the slash commands. */
  supportedCommands(): Promise<SlashCommand[]>;
  /** Lists the models. */
  supportedModels(): Promise<ModelInfo[]>;
  /** Lists the agents. */
  supportedAgents(): Promise<AgentInfo[]>;
  /** Returns the account or key that is used. */
  accountInfo(): Promise<AccountInfo>;
  /** Lists the MCP servers with their state. */
  mcpServerStatus(): Promise<McpServerStatus[]>;
  /** Reconnects an MCP server. */
  reconnectMcpServer(serverName: string): Promise<void>;
  /** Enables or disables an MCP server. */
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  /** Replaces the servers that were added at run time. */
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  /** Reads a resource of an MCP server. */
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  /** Returns what fills the context. */
  getContextUsage(options?: { detail?: 'summary' | 'full' }): Promise<SDKControlGetContextUsageResponse>;
  /** Returns the usage. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;
  /** Reads a file as the CLI sees it. */
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<SDKControlReadFileResponse | null>;
  /** Tells the CLI that a file was read. */
  seedReadState(path: string, mtime: number): Promise<void>;
  /** Restores files to their state at a user message. */
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<RewindFilesResult>;
  /** Reloads plugins from disk. */
  reloadPlugins(options?: {
    holdOnCacheImpact?: boolean;
    addPlugins?: SdkPluginConfig[];
    refuseIfBusy?: boolean;
  }): Promise<SDKControlReloadPluginsResponse>;
  /** Reloads skills from disk. */
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  /** Reloads output styles from disk. */
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;
  /** Sends more user messages. */
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>;
  /** Stops a task in the background. */
  stopTask(taskId: string): Promise<void>;
  /** Moves running work to the background. */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Ends the conversation and its process. */
  close(): void;
}

/** The options that a claim can set; all others are set by `prewarm`. */
export type ClaimOptions = {
  /** The folder of the session; required. */
  cwd: string;
  /** The few variables that a CLI accepts at this point. */
  env?: Record<string, string>;
  /** Further folders that tools may use. */
  additionalDirectories?: string[];
  /** The model. */
  model?: string;
  /** The permission mode; a claim with a mode that the CLI cannot use is refused. */
  permissionMode?: PermissionMode;
  /** How the model thinks. */
  maxThinkingTokens?: number | null;
  /** Settings with precedence over files; hooks are not included. */
  settings?: Parameters<Query['applyFlagSettings']>[0];
  /** Text to append to the system prompt. */
  appendSystemPrompt?: string;
  /** The title of the session. */
  title?: string;
  /** Agents in addition to the CLI's own. */
  agents?: Record<string, AgentDefinition>;
};

/** The CLI's answer to a claim. */
export interface ClaimInfo {
  /** The folder of the session. */
  cwd: string;
  /** The id of the session. */
  sessionId: string;
  /** How long the CLI waited. */
  parkedMs?: number;
  /** Whether its in-process MCP servers are ready. */
  sdkMcpSettled: boolean;
}

/** A CLI that was started before its folder was known. */
export interface SpareProcess extends AsyncDisposable {
  /** Assigns its folder and its first prompt; call it once. */
  claim(params: { prompt: string | AsyncIterable<SDKUserMessage>; options: ClaimOptions }): Query;
  /** Resolves when the claim and its settings are in effect; rejects with those that are not. */
  readonly claimed: Promise<ClaimInfo>;
  /** Settles when the process has exited, claimed or not. */
  readonly exited: Promise<void>;
  /** Ends the process. */
  close(): void;
}

/** A CLI that is ready for its first prompt. */
export interface WarmQuery extends AsyncDisposable {
  /** Starts the query. */
  query(prompt: string | AsyncIterable<SDKUserMessage>): Query;
  /** Ends the CLI that was started in advance. */
  close(): void;
}
