import * as z from 'zod';
import {
  accountInfo,
  agentInfo,
  fastModeState,
  modelInfo,
  slashCommand,
} from '../shapes/offers-shapes.schemas.js';
import { permissionMode } from '../shapes/permissions-shapes.schemas.js';
import { anyObject, open, type RequestSchemas, type Schema } from '../shapes/values-shapes.schemas.js';
import type { initializeRequests } from './initialize-request.js';

const agentDefinitionSchema = z.looseObject({
  description: z.string(),
  prompt: z.string(),
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()).optional(),
  model: z.string().optional(),
  mcpServers: z.array(z.unknown()).optional(),
  criticalSystemReminder_EXPERIMENTAL: z.string().optional(),
  skills: z.array(z.string()).optional(),
  initialPrompt: z.string().optional(),
  maxTurns: z.number().optional(),
  autoCompactWindow: z.number().optional(),
  background: z.boolean().optional(),
  omitClaudeMd: z.boolean().optional(),
  memory: z.enum(['user', 'project', 'local']).optional(),
  effort: z.union([z.string(), z.number()]).optional(),
  permissionMode: permissionMode.optional(),
  observer: z.unknown().optional(),
  observerMessage: z.unknown().optional(),
});

/** An agent defined by the host. */
export interface WireAgentDefinition extends z.infer<typeof agentDefinitionSchema> {}
/** Schema of an agent defined by the host. */
const agentDefinition: Schema<WireAgentDefinition> = agentDefinitionSchema;

/** Schema of one registration of hook callbacks. */
const hookMatcher = z.looseObject({
  matcher: z.string().nullish(),
  hookCallbackIds: z.array(z.string()),
  /** In seconds. */
  timeout: z.number().optional(),
  onFailure: z.enum(['continue', 'block']).optional(),
});

const initializeParams = z.looseObject({
  hooks: z.record(z.string(), z.array(hookMatcher)).nullish(),
  sdkMcpServers: z.array(z.string()).optional(),
  sdkMcpServerConfigs: z.record(z.string(), anyObject).optional(),
  sdkMcpServerManifests: z
    .record(z.string(), z.looseObject({ initializeResult: anyObject, toolsListResult: anyObject.optional() }))
    .optional(),
  sdkMcpServerManifestsOrigin: z.literal('host_per_send').optional(),
  mcpServers: z.record(z.string(), anyObject).optional(),
  jsonSchema: anyObject.optional(),
  systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
  appendSystemPrompt: z.string().optional(),
  systemPromptSnapshot: z.boolean().optional(),
  planModeInstructions: z.string().optional(),
  toolAliases: z.record(z.string(), z.string()).optional(),
  excludeDynamicSections: z.boolean().optional(),
  agents: z.record(z.string(), agentDefinition).optional(),
  title: z.string().optional(),
  skills: z.array(z.string()).optional(),
  promptSuggestions: z.boolean().optional(),
  agentProgressSummaries: z.boolean().optional(),
  forwardSubagentText: z.boolean().optional(),
  supportedDialogKinds: z.array(z.string()).optional(),
  perTaskStopAffordance: z.boolean().optional(),
  plugins: z.array(anyObject).optional(),
  managedSettings: anyObject.optional(),
  appendSubagentSystemPrompt: z.unknown().optional(),
  codeRunningMcpTools: z.unknown().optional(),
  webSearchIsolationExemptMcpServers: z.unknown().optional(),
  rapidFollowupPreempt: z.unknown().optional(),
  forwardNestedSubagentToolCalls: z.unknown().optional(),
  workspaceTrust: z.unknown().optional(),
});

const initializeAnswerSchema = z.looseObject({
  commands: z.array(slashCommand),
  output_style: z.string(),
  available_output_styles: z.array(z.string()),
  models: z.array(modelInfo),
  account: accountInfo,
  agents: z.array(agentInfo).optional(),
  pid: z.number().optional(),
  claude_code_version: z.string().optional(),
  current_permission_mode: open(permissionMode.options).optional(),
  session_state: open(['idle', 'running', 'requires_action']).optional(),
  capabilities: z.array(z.string()).optional(),
  hooks_applied: z.boolean().optional(),
  hook_on_failure_supported: z.boolean().optional(),
  hooks_when_unanswered_kept: z.number().optional(),
  other_hook_ask_outranks_host: z.boolean().optional(),
  plugins_applied: z.boolean().optional(),
  mcp_servers_applied: z.boolean().optional(),
  managed_settings_applied: z.boolean().optional(),
  code_running_mcp_tools_applied: z.boolean().optional(),
  sdk_mcp_manifests_parked: z.record(z.string(), z.string()).optional(),
  user_output_styles_dir: z.string().optional(),
  fast_mode_state: fastModeState.optional(),
  fast_mode_disabled_reason: z.string().optional(),
  feedback_mode: z.looseObject({ kind: z.string() }).optional(),
  analytics_disabled: z.boolean().optional(),
  remote_control_auto_enable: z.boolean().optional(),
  remote_control_auto_connect_default: z.boolean().optional(),
  remote_control_available: z.boolean().optional(),
  remote_control_auto_on_by_default: z.boolean().optional(),
  ide_rc_auto_enable_gate: z.boolean().optional(),
});

/** The CLI's answer to `initialize`. */
export interface InitializeAnswer extends z.infer<typeof initializeAnswerSchema> {}
/** Schema of the answer to `initialize`. */
const initializeAnswer: Schema<InitializeAnswer> = initializeAnswerSchema;

/** Schemas of the requests that start a session. */
export const initializeSchemas = {
  initialize: { params: initializeParams, answer: initializeAnswer },
  claim_session: {
    params: z.looseObject({
      cwd: z.string(),
      permission_mode: permissionMode.optional(),
      env: z.record(z.string(), z.string()).optional(),
      additional_directories: z.array(z.string()).optional(),
      append_system_prompt: z.string().optional(),
      title: z.string().optional(),
      agents: z.record(z.string(), agentDefinition).optional(),
      workspace_trust: z.unknown().optional(),
      sdk_mcp_servers: z.array(z.string()),
      include_initialize: z.boolean().optional(),
    }),
    answer: z.looseObject({
      status: z.string().optional(),
      cwd: z.string(),
      session_id: z.string(),
      parked_ms: z.number().optional(),
      sdk_mcp_settled: z.boolean().optional(),
      initialize: initializeAnswer.optional(),
    }),
  },
} satisfies RequestSchemas<keyof typeof initializeRequests>;
