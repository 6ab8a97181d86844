import type { McpServerObject } from '../../../host/mcp/server-object.js';

/** The policy for one tool of a server. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
};

/** Data beside a result, as MCP names it. */
export type McpMeta = {
  progressToken?: string | number;
  'io.modelcontextprotocol/related-task'?: { taskId: string };
  [key: string]: unknown;
};

/** A server that is a program. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string>;
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server that uses server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server that uses HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server that this program serves. */
export type McpSdkServerConfig = {
  type: 'sdk';
  name: string;
  timeout?: number;
  tools?: McpServerToolPolicy[];
};

/** A server that claude.ai connects to. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  timeout?: number;
};

/** An in-process server: any object with `connect(transport)`, such as one of the MCP SDK. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & { instance: McpServerObject };

/** How to reach an MCP server. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

/** How to reach an MCP server, as passed to the CLI. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** How to reach a listed server. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

/** The origin server, and who configured it. */
export type McpServerProvenance = { name: string; source: string };

/** The state of one MCP server. */
export type McpServerStatus = {
  name: string;
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  serverInfo?: { name: string; version: string };
  error?: string;
  config?: McpServerStatusConfig;
  scope?: string;
  source?: string;
  tools?: {
    name: string;
    description?: string;
    annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
    _meta?: Record<string, unknown>;
  }[];
};

/** The result of setting servers. */
export type McpSetServersResult = { added: string[]; removed: string[]; errors: Record<string, string> };
