import type { ModelUsage } from './message-types.js';

/** One category of the context. */
export type SDKContextUsageCategory = {
  name: string;
  tokens: number;
  kind: 'used' | 'free' | 'buffer' | 'deferred';
};

/** The use of the context, from the model's messages. */
export type SDKContextUsage = {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: { tokens_over: number; kind: 'hard_limit' | 'compaction_window' };
  categories: SDKContextUsageCategory[];
  mcp_tools: { name: string; server_name: string; tokens: number }[];
  memory_files: { path: string; type: string; tokens: number }[];
  agents: { agent_type: string; source: string; tokens: number }[];
  skills?: { name: string; source: string; plugin_name?: string; tokens: number }[];
};

type ExtraUsage = {
  is_enabled: boolean;
  monthly_limit: number | null;
  used_credits: number | null;
  utilization: number | null;
  currency?: string | null;
};

type SessionUsage = {
  total_cost_usd: number;
  total_api_duration_ms: number;
  total_duration_ms: number;
  total_lines_added: number;
  total_lines_removed: number;
  model_usage: Record<string, ModelUsage>;
};

type Place = { display_name: string };

/** The usage of a session, from the model's messages. */
export type SDKUsageReport = {
  session: SessionUsage;
  rate_limits: {
    limits:
      | {
          kind: string;
          group: string;
          percent: number;
          resets_at: string | null;
          scope?: { model?: Place | null; surface?: Place | null } | null;
          severity: string;
          is_active: boolean;
        }[]
      | null;
    extra_usage?: ExtraUsage | null;
  } | null;
};

type Window = { utilization: number | null; resets_at: string | null };
type Shares = { name: string; pct: number }[];

type Behaviours = {
  request_count: number;
  session_count: number;
  behaviors: {
    key:
      | 'cache_miss'
      | 'long_context'
      | 'subagent_heavy'
      | 'high_parallel'
      | 'cron'
      | 'max_effort'
      | 'workflow'
      | 'always_on_context'
      | 'large_tool_results';
    pct: number;
    count: number;
  }[];
  recommendations?: { key: string; pct: number; title: string; detail?: string }[];
  fix?: { keys: string[]; messages: string[] };
  agents: Shares;
  skills: Shares;
  plugins: Shares;
  mcp_servers: Shares;
};

/** The answer of `usage_EXPERIMENTAL_…`. */
export type SDKControlGetUsageResponse = {
  session: SessionUsage;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: Window | null;
    seven_day?: Window | null;
    seven_day_oauth_apps?: Window | null;
    seven_day_opus?: Window | null;
    seven_day_sonnet?: Window | null;
    model_scoped?: (Place & Window)[];
    extra_usage?: ExtraUsage | null;
  } | null;
  behaviors: { day: Behaviours; week: Behaviours } | null;
};

type ContextCategory =
  | 'system_prompt'
  | 'system_tools'
  | 'mcp_tools'
  | 'mcp_instructions'
  | 'mcp_tools_deferred'
  | 'system_tools_deferred'
  | 'custom_agents'
  | 'memory_files'
  | 'skills'
  | 'messages'
  | 'autocompact_buffer'
  | 'compact_buffer'
  | 'free_space';

type Weight = { name: string; tokens: number };
type Source = { source: string; pluginId?: string; path?: string; tokens: number };

/** The answer of `getContextUsage`. */
export type SDKControlGetContextUsageResponse = {
  categories: (SDKContextUsageCategory & { id?: ContextCategory; color: string; isDeferred?: boolean })[];
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  gridRows: {
    color: string;
    isFilled: boolean;
    categoryName: string;
    tokens: number;
    percentage: number;
    squareFullness: number;
  }[][];
  model: string;
  memoryFiles: { path: string; type: string; tokens: number }[];
  mcpTools: (Weight & { serverName: string; isLoaded?: boolean })[];
  mcpInstructions?: { serverName: string; tokens: number }[];
  deferredBuiltinTools?: (Weight & { isLoaded: boolean })[];
  systemTools?: Weight[];
  systemPromptSections?: Weight[];
  agents: (Source & { agentType: string })[];
  slashCommands?: { totalCommands: number; includedCommands: number; tokens: number };
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: (Source & { name: string; pluginName?: string })[];
  };
  autoCompactThreshold?: number;
  isAutoCompactEnabled: boolean;
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    unattributedTokens: number;
    toolCallsByType: { name: string; callTokens: number; resultTokens: number }[];
    attachmentsByType: Weight[];
  };
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
};
