import * as z from 'zod';
import { hookOutput } from '../hook-shapes.schemas.js';
import { elicitationAction, jsonRpcMessage, mcpServerOfTool } from '../shapes/mcp-shapes.schemas.js';
import {
  decisionReasonType,
  permissionResult,
  permissionUpdate,
} from '../shapes/permissions-shapes.schemas.js';
import { anyObject, open, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { callbackRequests } from './cli-callbacks.js';

/** Schemas of the requests with which the CLI calls back into its host. */
export const callbackSchemas = {
  can_use_tool: {
    params: z.looseObject({
      tool_name: z.string(),
      input: anyObject,
      tool_use_id: z.string(),
      mcp_server: mcpServerOfTool.optional(),
      permission_suggestions: z.array(permissionUpdate).optional(),
      blocked_path: z.string().optional(),
      decision_reason: z.string().optional(),
      decision_reason_type: decisionReasonType.optional(),
      decision_reason_code: z.string().optional(),
      decision_reason_hook_event: z.string().optional(),
      decision_reason_hook_source: z.string().optional(),
      classifier_approvable: z.boolean().optional(),
      suppress_always_allow_rule: z.boolean().optional(),
      default_to_no: z.boolean().optional(),
      matched_ask_rule: z
        .looseObject({
          source: z.string(),
          tool_name: z.string(),
          rule_content: z.string().optional(),
        })
        .optional(),
      title: z.string().optional(),
      display_name: z.string().optional(),
      description: z.string().optional(),
      agent_id: z.string().optional(),
      requires_user_interaction: z.boolean().optional(),
      server_policy_ask_only: z.boolean().optional(),
      plugin: z.unknown().optional(),
      server_prompt: z.unknown().optional(),
      computer_folder: z.looseObject({ path: z.string(), computer_name: z.string() }).optional(),
    }),
    answer: permissionResult,
  },
  hook_callback: {
    params: z.looseObject({
      callback_id: z.string(),
      input: anyObject,
      tool_use_id: z.string().optional(),
    }),
    answer: hookOutput,
  },
  mcp_message: {
    params: z.looseObject({ server_name: z.string(), message: jsonRpcMessage }),
    answer: z.looseObject({ mcp_response: jsonRpcMessage }),
  },
  elicitation: {
    params: z.looseObject({
      mcp_server_name: z.string(),
      message: z.string(),
      mode: open(['form', 'url']).optional(),
      url: z.string().optional(),
      elicitation_id: z.string().optional(),
      requested_schema: anyObject.optional(),
      property_order: z.array(z.string()).optional(),
      title: z.string().optional(),
      display_name: z.string().optional(),
      description: z.string().optional(),
    }),
    answer: z.looseObject({ action: elicitationAction, content: anyObject.optional() }),
  },
  request_user_dialog: {
    params: z.looseObject({
      dialog_kind: z.string(),
      payload: z.unknown(),
      tool_use_id: z.string().optional(),
    }),
    answer: z.discriminatedUnion('behavior', [
      z.looseObject({ behavior: z.literal('completed'), result: z.unknown() }),
      z.looseObject({ behavior: z.literal('cancelled') }),
    ]),
  },
} satisfies RequestSchemas<keyof typeof callbackRequests>;
