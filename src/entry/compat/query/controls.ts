import type { WireObject } from '../../../wire/protocol/frames.js';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from '../types/mcp-types.js';
import type { PermissionMode } from '../types/permission-types.js';
import type * as answers from '../types/query-types.js';

type Initialized = answers.SDKControlInitializeResponse;

/**
 * The control methods of a query, with the names of the official SDK. The answers are those of the wire: their shapes
 * are declared but not validated here.
 */
export abstract class QueryControls {
  /** Sends a control request; rejects with the words that programs match on. */
  protected abstract ask(subtype: string, params?: WireObject): Promise<WireObject>;
  protected abstract readonly initialized: Promise<WireObject>;
  /** The commands of the latest `commands_changed`, if there was one. */
  protected abstract readonly changedCommands: readonly unknown[] | undefined;
  protected abstract readonly initializeFields: WireObject;
  protected abstract setServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;

  async interrupt({ cancelQueued = false }: { cancelQueued?: boolean } = {}) {
    const answer = await this.ask('interrupt', cancelQueued ? { cancel_queued: true } : {});
    if (!Array.isArray(answer.still_queued)) return undefined;
    return answer as answers.SDKControlInterruptResponse;
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.ask('set_permission_mode', { mode });
  }

  async setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }> {
    return this.ask('set_mcp_permission_mode_override', { serverName, mode });
  }

  async setModel(model?: string): Promise<void> {
    await this.ask('set_model', given({ model }));
  }

  async setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void> {
    const display = given({ thinking_display: thinkingDisplay });
    await this.ask('set_max_thinking_tokens', { max_thinking_tokens: maxThinkingTokens, ...display });
  }

  async applyFlagSettings(settings: object): Promise<void> {
    await this.ask('apply_flag_settings', { settings });
  }

  async updateSettings(
    source: 'localSettings' | 'userSettings',
    settings: Record<string, unknown>,
  ): Promise<void> {
    await this.ask('update_settings', { source, settings });
  }

  async initializationResult(): Promise<Initialized> {
    return (await this.initialized) as Initialized;
  }

  async reinitialize(): Promise<Initialized> {
    return (await this.ask('initialize', this.initializeFields)) as Initialized;
  }

  async supportedCommands(): Promise<answers.SlashCommand[]> {
    const { commands } = await this.initializationResult();
    return (this.changedCommands as answers.SlashCommand[] | undefined) ?? commands;
  }

  async supportedModels(): Promise<answers.ModelInfo[]> {
    return (await this.initializationResult()).models;
  }

  /** Old CLIs do not report it. */
  async supportedAgents(): Promise<answers.AgentInfo[]> {
    const { agents = [] } = await this.initialized;
    return agents as answers.AgentInfo[];
  }

  async accountInfo(): Promise<answers.AccountInfo> {
    return (await this.initializationResult()).account;
  }

  async mcpServerStatus(): Promise<McpServerStatus[]> {
    const { mcpServers } = await this.ask('mcp_status');
    return mcpServers as McpServerStatus[];
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.ask('mcp_reconnect', { serverName });
  }

  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.ask('mcp_toggle', { serverName, enabled });
  }

  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    return this.setServers(servers);
  }

  async readMcpResource(serverName: string, uri: string): Promise<answers.SDKControlMcpReadResourceResponse> {
    const answer = await this.ask('mcp_read_resource', { serverName, uri });
    return answer as answers.SDKControlMcpReadResourceResponse;
  }

  async getContextUsage({ detail }: { detail?: 'summary' | 'full' } = {}) {
    const answer = await this.ask('get_context_usage', given({ detail }));
    return answer as answers.SDKControlGetContextUsageResponse;
  }

  async usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({
    skipBehaviors,
  }: {
    skipBehaviors?: boolean;
  } = {}) {
    const answer = await this.ask('get_usage', given({ skip_behaviors: skipBehaviors }));
    return answer as answers.SDKControlGetUsageResponse;
  }

  /** The contents of a file, or null if it cannot be read for any reason. */
  async readFile(
    path: string,
    { maxBytes, encoding }: { maxBytes?: number; encoding?: 'utf-8' | 'base64' } = {},
  ): Promise<answers.SDKControlReadFileResponse | null> {
    try {
      const answer = await this.ask('read_file', { path, ...given({ max_bytes: maxBytes, encoding }) });
      return answer as answers.SDKControlReadFileResponse;
    } catch {
      return null;
    }
  }

  async seedReadState(path: string, mtime: number): Promise<void> {
    await this.ask('seed_read_state', { path, mtime });
  }

  async rewindFiles(userMessageId: string, { dryRun }: { dryRun?: boolean } = {}) {
    const params = { user_message_id: userMessageId, ...given({ dry_run: dryRun }) };
    return (await this.ask('rewind_files', params)) as answers.RewindFilesResult;
  }

  async reloadPlugins({
    holdOnCacheImpact,
    addPlugins,
    refuseIfBusy,
  }: Parameters<answers.Query['reloadPlugins']>[0] = {}): Promise<answers.SDKControlReloadPluginsResponse> {
    const params = given({
      hold_on_cache_impact: holdOnCacheImpact,
      add_plugins: addPlugins,
      refuse_if_busy: refuseIfBusy,
    });
    return (await this.ask('reload_plugins', params)) as answers.SDKControlReloadPluginsResponse;
  }

  async reloadSkills() {
    return (await this.ask('reload_skills')) as answers.SDKControlReloadSkillsResponse;
  }

  async reloadOutputStyles() {
    return (await this.ask('reload_output_styles')) as answers.SDKControlReloadOutputStylesResponse;
  }

  async stopTask(taskId: string): Promise<void> {
    await this.ask('stop_task', { task_id: taskId });
  }

  /** Whether anything was moved to the background; if the CLI does not say, it was. */
  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    const { backgrounded = true } = await this.ask('background_tasks', given({ tool_use_id: toolUseId }));
    return backgrounded === true;
  }
}

function given(params: WireObject): WireObject {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
