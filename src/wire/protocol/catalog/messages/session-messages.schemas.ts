import * as z from 'zod';
import { fastModeState, pluginInfo, slashCommand } from '../shapes/offers-shapes.schemas.js';
import { decisionReasonType } from '../shapes/permissions-shapes.schemas.js';
import { anyObject, type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { sessionMessages } from './session-messages.js';

const type = z.literal('system');
const strings = z.array(z.string());

/** Schemas of the system messages about the session and its surroundings. */
export const sessionMessageSchemas = {
  'system/init': z.looseObject({
    type,
    subtype: z.literal('init'),
    /** The working folder. */
    cwd: z.string(),
    /** The names of the available tools. */
    tools: strings,
    /** The MCP servers with their state. */
    mcp_servers: z.array(
      z.looseObject({ name: z.string(), status: z.string(), source: z.string().optional() }),
    ),
    mcp_server_errors: z.array(anyObject).optional(),
    /** The model of this turn. */
    model: z.string(),
    /** The permission mode. */
    permissionMode: z.string(),
    /** The available slash commands, without the slash. */
    slash_commands: strings,
    terminal_slash_commands: strings.optional(),
    /** Where the credentials come from. */
    apiKeySource: z.string(),
    /** The version of the CLI. */
    claude_code_version: z.string(),
    /** The output style. */
    output_style: z.string(),
    /** The names of the available subagents. */
    agents: strings.optional(),
    /** The names of the available skills. */
    skills: strings.optional(),
    /** The loaded plugins. */
    plugins: z.array(pluginInfo).optional(),
    plugin_errors: z.array(anyObject).optional(),
    betas: strings.optional(),
    effort: z.unknown().optional(),
    view_mode: z.string().optional(),
    /** Features that the CLI reports about itself. */
    capabilities: strings.optional(),
    fast_mode_state: fastModeState.optional(),
    fast_mode_disabled_reason: z.string().optional(),
    memory_paths: z.record(z.string(), z.string()).optional(),
    original_cwd: z.string().optional(),
    /** Folders besides `cwd` that tools may use. */
    additional_directories: strings.optional(),
    messaging_socket_path: z.string().optional(),
    per_turn_effort_active: z.boolean().optional(),
    ultrathink_available: z.boolean().optional(),
    ultrathink_typed_raises: z.boolean().optional(),
    analytics_disabled: z.boolean().optional(),
    product_feedback_disabled: z.boolean().optional(),
    user_message_uuids: strings.optional(),
    ...stamp,
  }),
  'system/status': z.looseObject({
    type,
    subtype: z.literal('status'),
    /** The current activity; null if there is none. */
    status: open(['compacting', 'requesting']).nullable(),
    permissionMode: z.string().optional(),
    compact_result: z.string().optional(),
    compact_error: z.string().optional(),
    user_message_uuids: strings.optional(),
    ...stamp,
  }),
  'system/compact_boundary': z.looseObject({
    type,
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.looseObject({
      /** Whether the user or the CLI started the compaction. */
      trigger: open(['manual', 'auto']),
      /** Tokens in the context before the compaction. */
      pre_tokens: z.number(),
      /** Tokens in the context after the compaction. */
      post_tokens: z.number().optional(),
      cumulative_dropped_tokens: z.number().optional(),
      duration_ms: z.number().optional(),
      preserved_segment: z.record(z.string(), z.string()).optional(),
      preserved_messages: anyObject.optional(),
    }),
    logical_parent_uuid: z.string().nullish(),
    ...stamp,
  }),
  'system/local_command_output': z.looseObject({
    type,
    subtype: z.literal('local_command_output'),
    content: z.string(),
    ...stamp,
  }),
  'system/informational': z.looseObject({
    type,
    subtype: z.literal('informational'),
    content: z.string(),
    level: open(['info', 'notice', 'suggestion', 'warning']),
    tool_use_id: z.string().optional(),
    prevent_continuation: z.boolean().optional(),
    tag: z.string().optional(),
    isMeta: z.boolean().optional(),
    timestamp: z.string().optional(),
    ...stamp,
  }),
  'system/notification': z.looseObject({
    type,
    subtype: z.literal('notification'),
    key: z.string(),
    text: z.string(),
    priority: open(['low', 'medium', 'high', 'immediate']),
    color: z.string().optional(),
    timeout_ms: z.number().optional(),
    ...stamp,
  }),
  'system/plugin_install': z.looseObject({
    type,
    subtype: z.literal('plugin_install'),
    status: open(['started', 'installed', 'failed', 'completed']),
    name: z.string().optional(),
    error: z.string().optional(),
    ...stamp,
  }),
  'system/session_state_changed': z.looseObject({
    type,
    subtype: z.literal('session_state_changed'),
    /** The new state. */
    state: open(['idle', 'running', 'requires_action']),
    sdk_host_only: z.boolean().optional(),
    ...stamp,
  }),
  'system/worker_shutting_down': z.looseObject({
    type,
    subtype: z.literal('worker_shutting_down'),
    reason: z.string(),
    ...stamp,
  }),
  'system/commands_changed': z.looseObject({
    type,
    subtype: z.literal('commands_changed'),
    commands: z.array(slashCommand),
    ...stamp,
  }),
  'system/files_persisted': z.looseObject({
    type,
    subtype: z.literal('files_persisted'),
    files: z.array(z.looseObject({ filename: z.string(), file_id: z.string() })),
    failed: z.array(z.looseObject({ filename: z.string(), error: z.string() })),
    processed_at: z.string(),
    ...stamp,
  }),
  'system/memory_recall': z.looseObject({
    type,
    subtype: z.literal('memory_recall'),
    mode: open(['select', 'synthesize']),
    memories: z.array(z.looseObject({ path: z.string(), scope: z.string(), content: z.string().optional() })),
    ...stamp,
  }),
  'system/elicitation_complete': z.looseObject({
    type,
    subtype: z.literal('elicitation_complete'),
    mcp_server_name: z.string(),
    elicitation_id: z.string(),
    ...stamp,
  }),
  'system/permission_denied': z.looseObject({
    type,
    subtype: z.literal('permission_denied'),
    /** The denied tool. */
    tool_name: z.string(),
    /** The id of the tool call. */
    tool_use_id: z.string(),
    agent_id: z.string().optional(),
    decision_reason_type: decisionReasonType.optional(),
    decision_reason_code: z.string().optional(),
    decision_reason: z.string().optional(),
    /** The reason that the model gets. */
    message: z.string(),
    ...stamp,
  }),
  'system/mirror_error': z.looseObject({
    type,
    subtype: z.literal('mirror_error'),
    error: z.string(),
    key: z.looseObject({
      projectKey: z.string(),
      sessionId: z.string(),
      subpath: z.string().optional(),
    }),
    ...stamp,
  }),
  'system/session_writes_lost': z.looseObject({
    type,
    subtype: z.literal('session_writes_lost'),
    error_code: open(['ENOSPC', 'EDQUOT']),
    lost: z.array(z.unknown()),
    transcript_session_ids: strings.optional(),
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof sessionMessages>;
