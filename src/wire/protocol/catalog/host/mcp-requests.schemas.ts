import * as z from 'zod';
import { jsonRpcMessage, mcpServerConfig, mcpServerStatus } from '../shapes/mcp-shapes.schemas.js';
import { ack, anyObject, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { mcpRequests } from './mcp-requests.js';

const serverName = z.string();
const byName = z.looseObject({ serverName });

/** Schemas of the requests about MCP servers. */
export const mcpSchemas = {
  mcp_status: {
    params: z.looseObject({ liveReply: z.boolean().optional() }),
    answer: z.looseObject({ mcpServers: z.array(mcpServerStatus) }),
  },
  mcp_message: {
    params: z.looseObject({ server_name: z.string(), message: jsonRpcMessage }),
    answer: ack,
  },
  mcp_set_servers: {
    params: z.looseObject({ servers: z.record(z.string(), mcpServerConfig) }),
    answer: z.looseObject({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      errors: z.record(z.string(), z.string()),
    }),
  },
  mcp_reconnect: { params: byName, answer: ack },
  mcp_toggle: { params: z.looseObject({ serverName, enabled: z.boolean() }), answer: ack },
  mcp_read_resource: {
    params: z.looseObject({ serverName, uri: z.string() }),
    answer: z.looseObject({
      contents: z.array(
        z.looseObject({
          uri: z.string(),
          mimeType: z.string().optional(),
          text: z.string().optional(),
          blob: z.string().optional(),
          _meta: anyObject.optional(),
        }),
      ),
    }),
  },
  mcp_call: {
    params: z.looseObject({
      tool: z.string(),
      arguments: anyObject.optional(),
      expires_at: z.union([z.string(), z.number()]).optional(),
      timeout_ms: z.number().optional(),
      result_not_for_model: z.boolean().optional(),
      check_permissions: z.boolean().optional(),
      input_files: z.array(z.looseObject({ name: z.string(), lane_path: z.string() })).optional(),
      output_files: z
        .array(z.looseObject({ name: z.string(), lane_path: z.string(), if_match: z.string().optional() }))
        .optional(),
    }),
    answer: z.looseObject({
      content: z.array(z.unknown()).optional(),
      structuredContent: z.unknown().optional(),
      isError: z.boolean().optional(),
      _meta: anyObject.optional(),
      staging: z.unknown().optional(),
    }),
  },
  set_mcp_permission_mode_override: {
    params: z.looseObject({ serverName, mode: z.enum(['default', 'auto']).nullable() }),
    answer: z.looseObject({ warning: z.string().optional() }),
  },
  channel_enable: { params: byName, answer: anyObject },
  mcp_authenticate: {
    params: z.looseObject({
      serverName,
      redirectUri: z.string().optional(),
      redirectUriOnly: z.boolean().optional(),
    }),
    answer: anyObject,
  },
  mcp_clear_auth: { params: byName, answer: anyObject },
  mcp_oauth_callback_url: {
    params: z.looseObject({ serverName, callbackUrl: z.string() }),
    answer: anyObject,
  },
} satisfies RequestSchemas<keyof typeof mcpRequests>;
