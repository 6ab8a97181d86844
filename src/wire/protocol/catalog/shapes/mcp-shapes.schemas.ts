import * as z from 'zod';
import { anyObject, open, type Schema } from './values-shapes.schemas.js';

const timeout = z.number().optional();
const alwaysLoad = z.boolean().optional();
const toolPolicies = z
  .array(
    z.looseObject({
      name: z.string(),
      permission_policy: z.enum(['always_allow', 'always_ask', 'always_deny']).optional(),
      org_max_permission: z.enum(['allow', 'ask', 'blocked']).optional(),
    }),
  )
  .optional();

const mcpServerConfigSchema = z.union([
  z.looseObject({
    type: z.literal('stdio').optional(),
    command: z.string(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    timeout,
    alwaysLoad,
  }),
  z.looseObject({
    type: z.enum(['sse', 'http']),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    tools: toolPolicies,
    timeout,
    alwaysLoad,
  }),
  z.looseObject({ type: z.literal('sdk'), name: z.string(), tools: toolPolicies, timeout }),
]);

/** How to reach an MCP server. */
export type McpServerConfig = z.infer<typeof mcpServerConfigSchema>;
/** Schema of how to reach an MCP server. */
export interface McpServerConfigSchema extends z.ZodType<McpServerConfig> {}
/** Schema of how to reach an MCP server. */
export const mcpServerConfig: McpServerConfigSchema = mcpServerConfigSchema;

const mcpServerStatusSchema = z.looseObject({
  name: z.string(),
  status: open(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
  serverInfo: z
    .looseObject({ name: z.string(), version: z.string(), title: z.string().optional() })
    .optional(),
  error: z.string().optional(),
  config: anyObject.optional(),
  transport: open(['stdio', 'sse', 'http', 'sdk']).optional(),
  scope: z.string().optional(),
  source: open([
    'sdk',
    'plugin',
    'user',
    'project',
    'local',
    'dynamic',
    'managed',
    'enterprise',
    'claudeai',
    'agent',
  ]).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        annotations: z
          .looseObject({
            readOnly: z.boolean().optional(),
            destructive: z.boolean().optional(),
            openWorld: z.boolean().optional(),
          })
          .optional(),
        _meta: anyObject.optional(),
      }),
    )
    .optional(),
});

/** The state of one MCP server. */
export interface McpServerStatus extends z.infer<typeof mcpServerStatusSchema> {}
/** Schema of the state of one MCP server. */
export const mcpServerStatus: Schema<McpServerStatus> = mcpServerStatusSchema;

/** Which server a tool belongs to. */
export const mcpServerOfTool = z.looseObject({ name: z.string(), source: z.string() });

const jsonRpcMessageSchema = z.looseObject({
  jsonrpc: z.literal('2.0').optional(),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: anyObject.optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** A JSON-RPC message of the Model Context Protocol: request, notification or response. */
export interface JsonRpcMessage extends z.infer<typeof jsonRpcMessageSchema> {}
/** Schema of a JSON-RPC message. */
export const jsonRpcMessage: Schema<JsonRpcMessage> = jsonRpcMessageSchema;

/** What a user can do with a server's form. */
export const elicitationAction = z.enum(['accept', 'decline', 'cancel']);
