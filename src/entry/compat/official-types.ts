// The types of every entry point, under their official names.
export type { CreateSdkMcpServerOptions } from './mcp/official-server.js';
export type { ToolExtras } from './mcp/official-tool.js';
export type * from './types/agent-types.js';
export type * from './types/callback-types.js';
export type * as control from './types/control-types.js';
export type { SDKControlRequest, SDKControlResponse, Transport } from './types/control-types.js';
export type * as declared from './types/declared.js';
export type * from './types/hook-types.js';
export type * from './types/mcp-types.js';
export type * from './types/message-types.js';
export type * from './types/option-types.js';
export type * from './types/permission-types.js';
export type * from './types/process-types.js';
export type * from './types/query-types.js';
export type * from './types/setting-types.js';
export type * as settings from './types/settings/parts.js';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from './types/settings/sandbox-settings.js';
export type { Settings } from './types/settings/settings.js';
export type * from './types/store-types.js';
export type * from './types/tool-types.js';
export type * from './types/usage-types.js';
export type * as modelApi from './types/users-model-api.js';
export type * from './types/words.js';
