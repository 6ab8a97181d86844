export { Cancellation } from '../../wire/peer/cancellation.js';
export type { WireObject } from '../../wire/protocol/frames.js';
export type { Diagnostic, OnDiagnostic } from '../../wire/util/diagnostics.js';
export { McpBridge, type McpBridgeOptions } from './bridge.js';
export type { ToolSession } from './link-transport.js';
export { mcpServer, type ToolServer } from './mcp-server.js';
export type { JsonSchemaWriter, SchemaIssue, SchemaResult, StandardSchema } from './schema-standard.js';
export type { InProcessServer, McpServerObject, McpTransport } from './server-object.js';
export {
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolProgress,
  tool,
} from './tool.js';
export type { JsonSchema, ReadInput, SchemaPair, ToolArguments, ToolInput } from './tool-input.js';
export type { McpServerOptions } from './tool-set.js';
