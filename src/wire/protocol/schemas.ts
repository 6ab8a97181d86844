export type { CheckOptions } from './catalog/check.schemas.js';
export { checkFrame, checkRequest, formatIssue } from './catalog/check.schemas.js';
export type { CliRequestSchemas } from './catalog/cli.schemas.js';
export { cliRequestSchemas } from './catalog/cli.schemas.js';
export { envelopeSchemas } from './catalog/envelopes.schemas.js';
export type { AsyncHookOutput, SyncHookOutput } from './catalog/hook-shapes.schemas.js';
export { hookSchemas } from './catalog/hooks.schemas.js';
export type { AgentDefinition, InitializeAnswer } from './catalog/host/initialize-request.schemas.js';
export type { ContextUsage } from './catalog/host/report-requests.schemas.js';
export type { HostRequestSchemas } from './catalog/host.schemas.js';
export { hostRequestSchemas } from './catalog/host.schemas.js';
export type { FrameIssue } from './catalog/issues.schemas.js';
export { hostMessageSchemas } from './catalog/messages/from-host-messages.schemas.js';
export type { AllMessageSchemas } from './catalog/messages.schemas.js';
export { messageSchemas } from './catalog/messages.schemas.js';
export type {
  JsonRpcMessage,
  McpServerConfig,
  McpServerStatus,
} from './catalog/shapes/mcp-shapes.schemas.js';
export type {
  ApiMessage,
  ApiUsage,
  ContentBlock,
  StreamEvent,
  UserContent,
} from './catalog/shapes/model-api-shapes.schemas.js';
export type {
  AccountInfo,
  AgentInfo,
  ModelInfo,
  PluginInfo,
  SlashCommand,
} from './catalog/shapes/offers-shapes.schemas.js';
export type {
  PermissionMode,
  PermissionResult,
  PermissionUpdate,
} from './catalog/shapes/permissions-shapes.schemas.js';
export type { ModelUsage } from './catalog/shapes/usage-shapes.schemas.js';
