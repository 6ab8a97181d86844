import * as z from 'zod';
import { apiMessage, streamEvent, userContent } from '../shapes/model-api-shapes.schemas.js';
import { anyObject, type MessageSchemas, open, type Schema, stamp } from '../shapes/values-shapes.schemas.js';
import type { conversationMessages } from './conversation-messages.js';

const text = z.string().optional();

const originSchema = z.looseObject({
  kind: open([
    'human',
    'channel',
    'peer',
    'task-notification',
    'coordinator',
    'unclassified',
    'observer',
    'auto-continuation',
    'observer-activity',
  ]),
  server: text,
  from: text,
  fromMode: text,
  fromSession: text,
  name: text,
  senderTaskId: text,
  body: text,
  verifiedPeerPid: z.number().optional(),
  subkind: text,
  fireReason: text,
  producer: text,
  runId: text,
});

/** What set a message going. */
export interface MessageOrigin extends z.infer<typeof originSchema> {}
/** Schema of what set a message going. */
export const origin: Schema<MessageOrigin> = originSchema;

/** Which user messages a frame belongs to. */
export const causes = {
  user_message_uuid: z.string().optional(),
  user_message_uuids: z.array(z.string()).optional(),
  resume_reason: z.string().optional(),
};

const ofSubagent = {
  agent_id: z.string().optional(),
  subagent_type: z.string().optional(),
  task_description: z.string().optional(),
};

/** What user messages can carry in either direction. */
export const userFields = {
  isSynthetic: z.boolean().optional(),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z.array(anyObject).optional(),
  priority: open(['now', 'next', 'later']).optional(),
  origin: origin.optional(),
  shouldQuery: z.boolean().optional(),
  timestamp: z.string().optional(),
  client_composed: z.boolean().optional(),
  pasted_content: z.unknown().optional(),
  inline_pastes: z.unknown().optional(),
  ...ofSubagent,
};

/** Schemas of the messages that are the conversation itself. */
export const conversationMessageSchemas = {
  assistant: z.looseObject({
    type: z.literal('assistant'),
    message: apiMessage,
    parent_tool_use_id: z.string().nullable(),
    error: open([
      'authentication_failed',
      'oauth_org_not_allowed',
      'account_on_hold',
      'verification_required',
      'billing_error',
      'rate_limit',
      'overloaded',
      'invalid_request',
      'model_not_found',
      'server_error',
      'unknown',
      'max_output_tokens',
      'cloud_credential_error',
    ]).optional(),
    is_api_error_message: z.boolean().optional(),
    api_error_status: z.number().nullish(),
    api_error_type: z.string().nullish(),
    request_id: z.string().optional(),
    resumed_from_incomplete_thinking: z.boolean().optional(),
    supersedes: z.array(z.string()).optional(),
    aborted: z.boolean().optional(),
    timestamp: z.string().optional(),
    context_usage: anyObject.optional(),
    usage_report: anyObject.optional(),
    thinking_duration_ms: z.number().optional(),
    thinking_display: z.string().optional(),
    tool_use_meta: z.array(anyObject).optional(),
    local_command_source: text,
    local_command_run: anyObject.optional(),
    local_command_outcome: anyObject.optional(),
    ...causes,
    ...ofSubagent,
    ...stamp,
  }),
  user: z.looseObject({
    type: z.literal('user'),
    message: userContent,
    parent_tool_use_id: z.string().nullable(),
    isReplay: z.boolean().optional(),
    ...userFields,
    ...stamp,
  }),
  'user/replay': z.looseObject({
    type: z.literal('user'),
    message: userContent,
    parent_tool_use_id: z.string().nullable(),
    isReplay: z.literal(true),
    file_attachments: z.array(z.unknown()).optional(),
    ...userFields,
    ...stamp,
  }),
  stream_event: z.looseObject({
    type: z.literal('stream_event'),
    event: streamEvent,
    parent_tool_use_id: z.string().nullable(),
    ttft_ms: z.number().optional(),
    thinking_display: z.string().optional(),
    api_message_id: z.string().optional(),
    owed_rows: z.array(z.unknown()).optional(),
    ...causes,
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof conversationMessages>;
