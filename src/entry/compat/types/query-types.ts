import type { HostAnswer } from '../../../wire/protocol/catalog/types.js';
import type { Declared, Refined } from './declared.js';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from './mcp-types.js';
import type { SDKMessage, SDKUserMessage } from './message-types.js';
import type { EffortLevel, SdkPluginConfig } from './option-types.js';
import type { PermissionMode } from './permission-types.js';
import type { Settings } from './setting-types.js';
import type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from './usage-types.js';
import type { ApiProvider, FastModeDisabledReason, FastModeState } from './words.js';

export type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from './usage-types.js';

/** What a CLI answers to the handshake. */
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
export type SDKControlInterruptResponse = { still_queued: string[]; cancelled?: string[] };
export type SDKControlReadFileResponse = Refined<Declared<HostAnswer<'read_file'>>, { encoding?: 'base64' }>;
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
export type SDKControlReloadSkillsResponse = Declared<HostAnswer<'reload_skills'>>;
export type SDKControlReloadOutputStylesResponse = Declared<HostAnswer<'reload_output_styles'>>;
export type SDKControlMcpReadResourceResponse = Declared<HostAnswer<'mcp_read_resource'>>;
export type RewindFilesResult = Refined<Declared<HostAnswer<'rewind_files'>>, { canRewind: boolean }>;
export type SlashCommand = SDKControlInitializeResponse['commands'][number];
export type ModelInfo = Refined<
  Declared<HostAnswer<'initialize'>>['models'][number],
  { supportedEffortLevels?: EffortLevel[] }
>;
export type AgentInfo = { name: string; description: string; model?: string };
export type AccountInfo = Refined<
  Declared<HostAnswer<'initialize'>>['account'],
  { apiProvider?: ApiProvider }
>;

/** A conversation under way: its messages, and what can be asked of it meanwhile. */
export interface Query extends AsyncGenerator<SDKMessage, void>, AsyncDisposable {
  interrupt(options?: { cancelQueued?: boolean }): Promise<SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }>;
  setModel(model?: string): Promise<void>;
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void>;
  applyFlagSettings(
    settings: {
      [Key in keyof Settings]?: Key extends 'effortLevel' ? EffortLevel | null : Settings[Key] | null;
    },
  ): Promise<void>;
  updateSettings(source: 'localSettings' | 'userSettings', settings: Record<string, unknown>): Promise<void>;
  initializationResult(): Promise<SDKControlInitializeResponse>;
  reinitialize(): Promise<SDKControlInitializeResponse>;
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  accountInfo(): Promise<AccountInfo>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  reconnectMcpServer(serverName: string): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  getContextUsage(options?: { detail?: 'summary' | 'full' }): Promise<SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<SDKControlReadFileResponse | null>;
  seedReadState(path: string, mtime: number): Promise<void>;
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<RewindFilesResult>;
  reloadPlugins(options?: {
    holdOnCacheImpact?: boolean;
    addPlugins?: SdkPluginConfig[];
    refuseIfBusy?: boolean;
  }): Promise<SDKControlReloadPluginsResponse>;
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>;
  stopTask(taskId: string): Promise<void>;
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Ends the conversation and its process. */
  close(): void;
}

/** A CLI that is ready for its first prompt. */
export interface WarmQuery extends AsyncDisposable {
  query(prompt: string | AsyncIterable<SDKUserMessage>): Query;
  close(): void;
}
