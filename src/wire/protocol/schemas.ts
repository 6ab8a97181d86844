export type { CheckOptions } from './catalog/check.schemas.js';
export { checkFrame, checkRequest, formatIssue } from './catalog/check.schemas.js';
export type { AsyncHookOutput, SyncHookOutput } from './catalog/hook-shapes.schemas.js';
export type { InitializeAnswer, WireAgentDefinition } from './catalog/host/initialize-request.schemas.js';
export type { ContextUsage } from './catalog/host/report-requests.schemas.js';
export type {
  CliMessageMap,
  CliRequestMap,
  EnvelopeMap,
  HookMap,
  HostMessageMap,
  HostRequestMap,
} from './catalog/inferred.schemas.js';
export type { FrameIssue } from './catalog/issues.schemas.js';
export type { MessageOrigin } from './catalog/messages/conversation-messages.schemas.js';
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
export type { Schema } from './catalog/shapes/values-shapes.schemas.js';
export {
  cliRequestSchemas,
  envelopeSchemas,
  hookSchemas,
  hostMessageSchemas,
  hostRequestSchemas,
  messageSchemas,
  type PartSchemasOf,
  type SchemasOf,
} from './catalog/typed.schemas.js';
export type { UnknownKind, UnknownName } from './catalog/unknown-name.js';
