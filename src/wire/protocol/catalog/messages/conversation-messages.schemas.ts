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

/** What triggered a message. */
export interface MessageOrigin extends z.infer<typeof originSchema> {}
/** Schema of what triggered a message. */
export const origin: Schema<MessageOrigin> = originSchema;

/** Which user messages a frame belongs to. */
export const causes = {
  /** The user message that this belongs to. */
  user_message_uuid: z.string().optional(),
  /** The user messages that this belongs to, if several were merged. */
  user_message_uuids: z.array(z.string()).optional(),
  resume_reason: z.string().optional(),
};

const ofSubagent = {
  /** The id of the subagent. */
  agent_id: z.string().optional(),
  /** The type of the subagent. */
  subagent_type: z.string().optional(),
  task_description: z.string().optional(),
};

/** Fields that user messages can have in either direction. */
export const userFields = {
  /** True if no person wrote the message. */
  isSynthetic: z.boolean().optional(),
  /** The result of a tool as data; its shape depends on the tool. */
  tool_use_result: z.unknown().optional(),
  tool_result_meta: z.array(anyObject).optional(),
  /** When the CLI processes the message while a turn runs. */
  priority: open(['now', 'next', 'later']).optional(),
  origin: origin.optional(),
  shouldQuery: z.boolean().optional(),
  /** When it was written, in ISO 8601. */
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
    /** The message of the model, with a single content block. */
    message: apiMessage,
    /** The tool call whose subagent wrote this; null for the main conversation. */
    parent_tool_use_id: z.string().nullable(),
    /** Why the API call failed; the content then has the error text. */
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
    /** HTTP status of a failed API call. */
    api_error_status: z.number().nullish(),
    api_error_type: z.string().nullish(),
    /** The id of the API request. */
    request_id: z.string().optional(),
    resumed_from_incomplete_thinking: z.boolean().optional(),
    /** The uuids of messages that this one replaces. */
    supersedes: z.array(z.string()).optional(),
    /** True if the message was cut off by an interrupt. */
    aborted: z.boolean().optional(),
    /** When it was written, in ISO 8601. */
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
    /** The content in the user role, such as tool results. */
    message: userContent,
    /** The tool call of the subagent that this belongs to; null for the main conversation. */
    parent_tool_use_id: z.string().nullable(),
    /** True for an echo of a sent message. */
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
    /** The event of the model API. */
    event: streamEvent,
    /** The tool call whose subagent streams this; null for the main conversation. */
    parent_tool_use_id: z.string().nullable(),
    /** Milliseconds until the first token. */
    ttft_ms: z.number().optional(),
    thinking_display: z.string().optional(),
    api_message_id: z.string().optional(),
    owed_rows: z.array(z.unknown()).optional(),
    ...causes,
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof conversationMessages>;
