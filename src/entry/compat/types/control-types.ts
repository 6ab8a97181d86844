import type { CliRequestName, HostRequestName } from '../../../wire/protocol/catalog/catalog.js';
import type { CliRequestBody, HostRequestBody } from '../../../wire/protocol/catalog/types.js';
import type { AgentDefinition } from './agent-types.js';
import type { HookCallbackMatcher } from './callback-types.js';
import type { Declared, Refined } from './declared.js';
import type { HookEvent, HookInput } from './hook-types.js';
import type { McpMeta, McpServerConfigForProcessTransport, McpServerToolPolicy } from './mcp-types.js';
import type { SDKActiveGoalMessage, SDKMessage } from './message-types.js';
import type { SdkPluginConfig } from './option-types.js';

/** A request of the control protocol, of either side. */
export type SDKControlRequest = {
  type: 'control_request';
  request_id: string;
  request: DeclaredHostRequest<DeclaredHostName> | DeclaredCliRequest<DeclaredCliName>;
};

/** The requests of a host that the original declares. */
export type DeclaredHostName = Extract<
  HostRequestName,
  | 'apply_flag_settings'
  | 'background_tasks'
  | 'cancel_async_message'
  | 'file_suggestions'
  | 'get_binary_version'
  | 'get_context_usage'
  | 'get_hooks_listing'
  | 'get_session_cost'
  | 'get_settings'
  | 'get_task_output'
  | 'get_usage'
  | 'initialize'
  | 'interrupt'
  | 'list_models'
  | 'list_permission_rules'
  | 'mcp_call'
  | 'mcp_message'
  | 'mcp_read_resource'
  | 'mcp_reconnect'
  | 'mcp_set_servers'
  | 'mcp_status'
  | 'mcp_toggle'
  | 'read_file'
  | 'register_repo_root'
  | 'reload_output_styles'
  | 'reload_plugins'
  | 'reload_skills'
  | 'rename_session'
  | 'rewind_files'
  | 'seed_read_state'
  | 'set_color'
  | 'set_has_subscribers'
  | 'set_max_thinking_tokens'
  | 'set_model'
  | 'set_permission_mode'
  | 'stop_task'
  | 'update_settings'
>;

/** The requests of a CLI that the original declares. */
export type DeclaredCliName = Extract<
  CliRequestName,
  'can_use_tool' | 'elicitation' | 'hook_callback' | 'mcp_message' | 'request_user_dialog'
>;

/** The bodies of host requests, by their subtypes. */
export type DeclaredHostRequest<Name extends HostRequestName> = {
  [Each in Name]: Narrowed<Declared<HostRequestBody<Each>>, Each>;
}[Name];

/** The bodies of CLI requests, by their subtypes. */
export type DeclaredCliRequest<Name extends CliRequestName> = {
  [Each in Name]: Narrowed<Declared<CliRequestBody<Each>>, Each>;
}[Name];

/** A body with the fields that the original declares differently. */
export type Narrowed<Body, Name> = Name extends keyof Narrower ? Refined<Body, Narrower[Name]> : Body;

/** Fields of requests that the catalog leaves open. */
export type Narrower = {
  initialize: {
    hooks?: Partial<Record<HookEvent, DeclaredMatcher[]>>;
    agents?: Record<string, AgentDefinition>;
    mcpServers?: Record<string, McpServerConfigForProcessTransport>;
    sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
    plugins?: SdkPluginConfig[];
    systemPrompt?: string[];
  };
  hook_callback: { input: HookInput };
  reload_plugins: { add_plugins?: SdkPluginConfig[] };
  request_user_dialog: { payload: Record<string, unknown> };
  mcp_call: { expires_at?: string };
  mcp_message: { message: McpMessage };
  mcp_set_servers: { servers: Record<string, McpServerConfigForProcessTransport> };
};

/** Hooks as `initialize` names them. */
export type DeclaredMatcher = Pick<HookCallbackMatcher, 'matcher' | 'timeout' | 'onFailure'> & {
  hookCallbackIds: string[];
};

/** A message of MCP. */
export type McpMessage = { jsonrpc: '2.0' } & (
  | { id: string | number; method: string; params?: McpParams }
  | { method: string; params?: McpParams }
  | { id: string | number; result: McpParams }
  | { id?: string | number; error: { code: number; message: string; data?: unknown } }
);

/** The parameters or the result of a message of MCP. */
export type McpParams = { _meta?: McpMeta; [key: string]: unknown };

/** The answer to a request of the control protocol. */
export type SDKControlResponse = {
  type: 'control_response';
  response: DeclaredAnswer & StillOpen;
};

/** What a request came to. */
export type DeclaredAnswer =
  | { subtype: 'success'; request_id: string; response?: Record<string, unknown> }
  | { subtype: 'error'; request_id: string; error: string };

/** The CLI's own requests that nobody has answered yet. */
export type StillOpen = {
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** A connection to a CLI, as the original calls it. */
export interface Transport {
  /** Sends a line. */
  write(data: string): void | Promise<void>;
  /** Sends nothing more. */
  endInput(): void;
  /** Ends the connection. */
  close(): void;
  /** Whether lines can be sent. */
  isReady(): boolean;
  /** Reads what the CLI sends. */
  readMessages(): AsyncGenerator<
    | SDKMessage
    | SDKActiveGoalMessage
    | SDKControlRequest
    | SDKControlResponse
    | { type: 'control_cancel_request'; request_id: string }
    | { type: 'keep_alive' },
    void,
    unknown
  >;
  /** Announces the id of a request that only the CLI may answer. */
  expectControlResponse?(requestId: string): void;
  /** Notes a message that the program is about to get. */
  markDelivered?(message: object): void;
  /** Resolves when the process has ended. */
  waitForExit?(): Promise<void>;
  /** Ends the connection. */
  [Symbol.dispose]?(): void;
}
