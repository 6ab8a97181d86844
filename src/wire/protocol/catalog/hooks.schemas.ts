import * as z from 'zod';
import { hookInputBase, hookOutputFor, plainHookOutput } from './hook-shapes.schemas.js';
import type { hookEvents } from './hooks.js';
import { elicitationAction, mcpServerOfTool } from './shapes/mcp-shapes.schemas.js';
import { permissionUpdate } from './shapes/permissions-shapes.schemas.js';
import { anyObject, open } from './shapes/values-shapes.schemas.js';

const text = z.string().optional();
const additionalContext = text;
const watchPaths = z.array(z.string()).optional();

const toolCall = { tool_name: z.string(), tool_input: z.unknown(), mcp_server: mcpServerOfTool.optional() };
const tool_use_id = z.string();
const duration_ms = z.number().optional();

const stopped = {
  stop_hook_active: z.boolean(),
  last_assistant_message: text,
  background_tasks: z.array(anyObject).optional(),
  session_crons: z.array(anyObject).optional(),
};

const modelSwitch = {
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.string().nullable(),
  context_tokens: z.number(),
  prompt_cache_warm: z.boolean(),
  cache_ttl: open(['5m', '1h']),
  estimated_cache_write_usd: z.number(),
  pricing: open(['configured', 'catalog', 'default']),
};

const compaction = { trigger: open(['manual', 'auto']) };

const listedTask = {
  task_id: z.string(),
  task_subject: z.string(),
  task_description: text,
  teammate_name: text,
  team_name: text,
};

const question = {
  mcp_server_name: z.string(),
  mode: open(['form', 'url']).optional(),
  elicitation_id: text,
};

const reply = { action: elicitationAction.optional(), content: anyObject.optional() };

const permissionDecision = z.discriminatedUnion('behavior', [
  z.looseObject({
    behavior: z.literal('allow'),
    updatedInput: anyObject.optional(),
    updatedPermissions: z.array(permissionUpdate).optional(),
  }),
  z.looseObject({ behavior: z.literal('deny'), message: text, interrupt: z.boolean().optional() }),
]);

function input<Event extends string, Shape extends z.core.$ZodLooseShape>(event: Event, shape: Shape) {
  return z.looseObject({ ...hookInputBase, ...shape, hook_event_name: z.literal(event) });
}

/** Input and output of the hook callbacks of every event. */
export const hookSchemas = {
  PreToolUse: {
    input: input('PreToolUse', { ...toolCall, tool_use_id }),
    output: hookOutputFor('PreToolUse', {
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: text,
      updatedInput: anyObject.optional(),
      additionalContext,
    }),
  },
  PostToolUse: {
    input: input('PostToolUse', { ...toolCall, tool_use_id, tool_response: z.unknown(), duration_ms }),
    output: hookOutputFor('PostToolUse', {
      additionalContext,
      classifierContext: text,
      updatedToolOutput: z.unknown().optional(),
      updatedMCPToolOutput: z.unknown().optional(),
    }),
  },
  PostToolUseFailure: {
    input: input('PostToolUseFailure', {
      ...toolCall,
      tool_use_id,
      error: z.string(),
      is_interrupt: z.boolean().optional(),
      duration_ms,
    }),
    output: hookOutputFor('PostToolUseFailure', { additionalContext }),
  },
  PostToolBatch: {
    input: input('PostToolBatch', {
      tool_calls: z.array(z.looseObject({ ...toolCall, tool_use_id, tool_response: z.unknown().optional() })),
    }),
    output: hookOutputFor('PostToolBatch', { additionalContext }),
  },
  Notification: {
    input: input('Notification', { message: z.string(), title: text, notification_type: z.string() }),
    output: hookOutputFor('Notification', { additionalContext }),
  },
  UserPromptSubmit: {
    input: input('UserPromptSubmit', {
      prompt: z.string(),
      source: open(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']).optional(),
      session_title: text,
    }),
    output: hookOutputFor('UserPromptSubmit', {
      additionalContext,
      sessionTitle: text,
      suppressOriginalPrompt: z.boolean().optional(),
    }),
  },
  UserPromptExpansion: {
    input: input('UserPromptExpansion', {
      expansion_type: open(['slash_command', 'mcp_prompt']),
      command_name: z.string(),
      command_args: z.string(),
      command_source: text,
      prompt: z.string(),
    }),
    output: hookOutputFor('UserPromptExpansion', {
      additionalContext,
      suppressOriginalPrompt: z.boolean().optional(),
    }),
  },
  SessionStart: {
    input: input('SessionStart', {
      source: open(['startup', 'resume', 'clear', 'compact', 'fork']),
      model: text,
      session_title: text,
      seconds_since_last_response: z.number().optional(),
      context_tokens: z.number().optional(),
      prompt_cache_likely_expired: z.boolean().optional(),
      estimated_cache_write_usd: z.number().optional(),
    }),
    output: hookOutputFor('SessionStart', {
      additionalContext,
      initialUserMessage: text,
      sessionTitle: text,
      watchPaths,
      reloadSkills: z.boolean().optional(),
    }),
  },
  SessionEnd: {
    input: input('SessionEnd', { reason: open(['clear', 'resume', 'logout', 'prompt_input_exit', 'other']) }),
    output: plainHookOutput,
  },
  Stop: { input: input('Stop', stopped), output: hookOutputFor('Stop', { additionalContext }) },
  StopFailure: {
    input: input('StopFailure', { error: z.string(), error_details: text, last_assistant_message: text }),
    output: plainHookOutput,
  },
  SubagentStart: {
    input: input('SubagentStart', { agent_id: z.string(), agent_type: z.string() }),
    output: hookOutputFor('SubagentStart', { additionalContext }),
  },
  SubagentStop: {
    input: input('SubagentStop', { ...stopped, agent_id: z.string(), agent_transcript_path: z.string() }),
    output: hookOutputFor('SubagentStop', { additionalContext }),
  },
  PreCompact: {
    input: input('PreCompact', { ...compaction, custom_instructions: z.string().nullable() }),
    output: plainHookOutput,
  },
  PostCompact: {
    input: input('PostCompact', { ...compaction, compact_summary: z.string() }),
    output: plainHookOutput,
  },
  PreModelSwitch: {
    input: input('PreModelSwitch', { ...modelSwitch, source: open(['command', 'picker', 'sdk']) }),
    output: hookOutputFor('PreModelSwitch', {
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: text,
    }),
  },
  PostModelSwitch: {
    input: input('PostModelSwitch', {
      ...modelSwitch,
      source: open(['command', 'picker', 'sdk', 'auto', 'resume']),
    }),
    output: hookOutputFor('PostModelSwitch', { additionalContext }),
  },
  PermissionRequest: {
    input: input('PermissionRequest', {
      ...toolCall,
      permission_suggestions: z.array(permissionUpdate).optional(),
    }),
    output: hookOutputFor('PermissionRequest', { decision: permissionDecision }),
  },
  PermissionDenied: {
    input: input('PermissionDenied', { ...toolCall, tool_use_id, reason: z.string() }),
    output: hookOutputFor('PermissionDenied', { retry: z.boolean().optional() }),
  },
  Setup: {
    input: input('Setup', { trigger: open(['init', 'maintenance']) }),
    output: hookOutputFor('Setup', { additionalContext }),
  },
  TeammateIdle: {
    input: input('TeammateIdle', { teammate_name: z.string(), team_name: z.string() }),
    output: plainHookOutput,
  },
  TaskCreated: { input: input('TaskCreated', listedTask), output: plainHookOutput },
  TaskCompleted: { input: input('TaskCompleted', listedTask), output: plainHookOutput },
  Elicitation: {
    input: input('Elicitation', {
      ...question,
      message: z.string(),
      url: text,
      requested_schema: anyObject.optional(),
    }),
    output: hookOutputFor('Elicitation', reply),
  },
  ElicitationResult: {
    input: input('ElicitationResult', {
      ...question,
      action: elicitationAction,
      content: anyObject.optional(),
    }),
    output: hookOutputFor('ElicitationResult', reply),
  },
  ConfigChange: {
    input: input('ConfigChange', {
      source: open(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']),
      file_path: text,
    }),
    output: plainHookOutput,
  },
  WorktreeCreate: {
    input: input('WorktreeCreate', { name: z.string() }),
    output: hookOutputFor('WorktreeCreate', { worktreePath: z.string() }),
  },
  WorktreeRemove: {
    input: input('WorktreeRemove', { worktree_path: z.string() }),
    output: plainHookOutput,
  },
  InstructionsLoaded: {
    input: input('InstructionsLoaded', {
      file_path: z.string(),
      memory_type: open(['User', 'Project', 'Local', 'Managed']),
      load_reason: open(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']),
      globs: z.array(z.string()).optional(),
      trigger_file_path: text,
      parent_file_path: text,
    }),
    output: plainHookOutput,
  },
  CwdChanged: {
    input: input('CwdChanged', { old_cwd: z.string(), new_cwd: z.string() }),
    output: hookOutputFor('CwdChanged', { watchPaths }),
  },
  FileChanged: {
    input: input('FileChanged', { file_path: z.string(), event: open(['change', 'add', 'unlink']) }),
    output: hookOutputFor('FileChanged', { watchPaths }),
  },
  DirectoryAdded: {
    input: input('DirectoryAdded', {
      directory: z.string(),
      source: open(['slash_command', 'register_repo_root']),
    }),
    output: plainHookOutput,
  },
  MessageDisplay: {
    input: input('MessageDisplay', {
      turn_id: z.string(),
      message_id: z.string(),
      index: z.number(),
      final: z.boolean(),
      delta: z.string(),
    }),
    output: hookOutputFor('MessageDisplay', { displayContent: text }),
  },
} satisfies Readonly<
  Record<keyof typeof hookEvents, { readonly input: z.ZodType; readonly output: z.ZodType }>
>;
