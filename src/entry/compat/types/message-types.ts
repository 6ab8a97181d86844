import type { UUID } from 'node:crypto';
import type { Message } from '../../../wire/protocol/catalog/types.js';
import type { Declared, DeclaredMessage, Refined } from './declared.js';
import type { PermissionMode } from './permission-types.js';
import type { SDKContextUsage, SDKUsageReport } from './usage-types.js';
import type { MessageParam, ModelMessage, StreamEvent, Usage } from './users-model-api.js';
import type {
  ApiKeySource,
  FastModeDisabledReason,
  FastModeState,
  OverageDisabledReason,
  RateLimitStatus,
  SDKStartupFailureReason,
} from './words.js';

/** The origin of a message. */
export type SDKMessageOrigin =
  | { kind: 'human' | 'coordinator' | 'unclassified' | 'auto-continuation' | 'observer-activity' }
  | { kind: 'channel'; server: string }
  | {
      kind: 'peer';
      from: string;
      fromMode?: 'bypass' | 'prompting';
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: 'task-notification';
      subkind?: 'scheduled-trigger' | 'peer-send-message' | 'projects-relay' | 'session-inbox';
      fireReason?: string;
      runId?: string;
    }
  | { kind: 'observer'; from: string; senderTaskId: string };

/** A message of the user, to the CLI or echoed by it. */
export type SDKUserMessage = {
  type: 'user';
  message: MessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
  uuid?: UUID;
  pasted_content?: MessageParam['content'][];
  inline_pastes?: string[];
  session_id?: string;
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
};

/** An earlier user message, repeated. */
export type SDKUserMessageReplay = Omit<
  SDKUserMessage,
  'pasted_content' | 'inline_pastes' | 'agent_id' | 'subagent_type' | 'task_description'
> & { uuid: UUID; session_id: string; isReplay: true; file_attachments?: unknown[] };

/** One finished content block of the model; blocks of one API message share its id. */
export type SDKAssistantMessage = DeclaredMessage<
  'assistant',
  {
    message: ModelMessage;
    resumed_from_incomplete_thinking?: true;
    supersedes?: UUID[];
    aborted?: true;
    context_usage?: SDKContextUsage;
    usage_report?: SDKUsageReport;
  }
>;
/** Why the API did not answer. */
export type SDKAssistantMessageError = NonNullable<Declared<Message<'assistant'>>['error']>;
/** A raw event of the model’s stream, as it arrives. */
export type SDKPartialAssistantMessage = DeclaredMessage<'stream_event', { event: StreamEvent }>;

/** Tokens of a turn, with every field present. */
export type NonNullableUsage = {
  [Key in keyof Usage]: Key extends 'fallback_credit' ? Usage[Key] : NonNullable<Usage[Key]>;
};
/** The usage of one model so far. */
export type ModelUsage = Refined<
  Declared<Message<'result/success'>>['modelUsage'][string],
  { maxOutputTokens: number; costBasis?: 'list' | 'managed' | 'unknown' }
>;
/** A tool call that is deferred. */
export type SDKDeferredToolUse = { id: string; name: string; input: Record<string, unknown> };
/** A tool call that was denied. */
export type SDKPermissionDenial = Declared<Message<'result/success'>>['permission_denials'][number];
/** Why a turn ended. */
export type TerminalReason = NonNullable<Declared<Message<'result/success'>>['terminal_reason']>;

type OfResults = {
  stop_reason: string | null;
  usage: NonNullableUsage;
  modelUsage: Record<string, ModelUsage>;
  model_usage_since_last_result?: Record<string, ModelUsage>;
  deferred_tool_use?: SDKDeferredToolUse;
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  origin?: SDKMessageOrigin;
};

type PostTiming = 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';

/** The end of a successful turn. */
export type SDKResultSuccess = DeclaredMessage<
  'result/success',
  OfResults & {
    first_stream_post_ms?: number;
    first_stream_post_ack_ms?: number;
    first_stream_post_queue_wait_ms?: number;
    first_stream_post_queued_behind?: PostTiming;
    first_stream_post_wall_ms?: number;
    first_text_post_ms?: number;
    first_text_post_queue_wait_ms?: number;
    first_text_post_queued_behind?: PostTiming;
    first_text_post_wall_ms?: number;
  }
>;
/** The end of a failed turn. */
export type SDKResultError = DeclaredMessage<
  'result/error_during_execution',
  OfResults & {
    subtype:
      | 'error_during_execution'
      | 'error_max_turns'
      | 'error_max_budget_usd'
      | 'error_max_structured_output_retries';
    startup_failure_reason?: SDKStartupFailureReason;
    invalid_config_file?: {
      path: string;
      is_global: boolean;
      backup_searched: boolean;
      backup_path?: string;
    };
  }
>;
/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** Introduces a turn with the session id, folder, tools, servers, model and mode. */
export type SDKSystemMessage = DeclaredMessage<
  'system/init',
  {
    apiKeySource: ApiKeySource;
    claude_code_version: string;
    permissionMode: PermissionMode;
    skills: string[];
    plugins: { name: string; path: string; version?: string }[];
    plugin_errors?: {
      plugin: string;
      type: string;
      message: string;
      path?: string;
      managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
    }[];
    fast_mode_state?: FastModeState;
    fast_mode_disabled_reason?: FastModeDisabledReason;
    effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
    view_mode?: 'focus' | 'default';
  }
>;
/** Reports what the CLI is doing, or that the permission mode has changed. */
export type SDKStatusMessage = DeclaredMessage<
  'system/status',
  { permissionMode?: PermissionMode; compact_result?: 'success' | 'failed' }
>;
/** The current activity of the CLI. */
export type SDKStatus = SDKStatusMessage['status'];
/** Marks the point before which the history was replaced by a summary. */
export type SDKCompactBoundaryMessage = DeclaredMessage<
  'system/compact_boundary',
  {
    compact_metadata: {
      trigger: 'manual' | 'auto';
      pre_tokens: number;
      post_tokens?: number;
      duration_ms?: number;
      preserved_segment?: { head_uuid: UUID; anchor_uuid: UUID; tail_uuid: UUID };
      preserved_messages?: { anchor_uuid: UUID; uuids: UUID[] };
    };
  }
>;
/** A call to the model failed and will be retried after a delay. */
export type SDKAPIRetryMessage = DeclaredMessage<'system/api_retry', { error: SDKAssistantMessageError }>;
/** Reports progress of a slow host request. */
export type SDKControlRequestProgressMessage = DeclaredMessage<'system/control_request_progress'>;
type OfRefusals = { request_id: string | null; refused_user_message_uuid?: string | null };
/** A model refused, and another one takes over. */
export type SDKModelRefusalFallbackMessage = DeclaredMessage<
  'system/model_refusal_fallback',
  OfRefusals & {
    trigger: 'refusal';
    direction: 'retry' | 'revert' | 'sticky';
    scope?: 'session' | 'local';
  }
>;
/** A model refused, and no other one takes over. */
export type SDKModelRefusalNoFallbackMessage = DeclaredMessage<
  'system/model_refusal_no_fallback',
  OfRefusals
>;
/** Carries the output of a command that ran without the model. */
export type SDKLocalCommandOutputMessage = DeclaredMessage<'system/local_command_output'>;
/** A note for the user, such as a failed hook callback. */
export type SDKInformationalMessage = DeclaredMessage<'system/informational'>;
/** A short notice with a priority, meant for a status line. */
export type SDKNotificationMessage = DeclaredMessage<'system/notification'>;
/** A configured hook command has started. */
export type SDKHookStartedMessage = DeclaredMessage<'system/hook_started'>;
/** A configured hook command has printed output and is still running. */
export type SDKHookProgressMessage = DeclaredMessage<'system/hook_progress'>;
/** A configured hook command has ended with this output. */
export type SDKHookResponseMessage = DeclaredMessage<'system/hook_response'>;
/** Reports progress of a plugin installation. */
export type SDKPluginInstallMessage = DeclaredMessage<'system/plugin_install'>;
/** An agent or a longer command became a task with an id. */
export type SDKTaskStartedMessage = DeclaredMessage<'system/task_started'>;
/** Reports what a running agent is doing, and its usage. */
export type SDKTaskProgressMessage = DeclaredMessage<'system/task_progress'>;
/** Updates the state of a task. */
export type SDKTaskUpdatedMessage = DeclaredMessage<
  'system/task_updated',
  {
    patch: {
      status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused';
      description?: string;
      end_time?: number;
      total_paused_ms?: number;
      error?: string;
      is_backgrounded?: boolean;
    };
  }
>;
/** A link to a resource of an MCP server. */
export type SDKMcpResourceLink = {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
};
/** A task has completed, failed or was stopped. */
export type SDKTaskNotificationMessage = DeclaredMessage<
  'system/task_notification',
  { reason?: 'worker_restart'; resource_links?: SDKMcpResourceLink[] }
>;
/** Replaces the list of background tasks. */
export type SDKBackgroundTasksChangedMessage = DeclaredMessage<'system/background_tasks_changed'>;
/** Estimates how many tokens the model has spent on thinking so far. */
export type SDKThinkingTokensMessage = DeclaredMessage<'system/thinking_tokens'>;
/** Reports that the session is idle, running, or waiting for an answer. */
export type SDKSessionStateChangedMessage = DeclaredMessage<'system/session_state_changed'>;
/** Announces that the process is about to exit, and why. */
export type SDKWorkerShuttingDownMessage = DeclaredMessage<'system/worker_shutting_down'>;
/** Replaces the list of slash commands. */
export type SDKCommandsChangedMessage = DeclaredMessage<'system/commands_changed'>;
/** Lists files that the vendor’s service stored, and those that it could not store. */
export type SDKFilesPersistedEvent = DeclaredMessage<'system/files_persisted'>;
/** Lists the memories that were given to the model. */
export type SDKMemoryRecallMessage = DeclaredMessage<
  'system/memory_recall',
  { memories: { path: string; scope: 'personal' | 'team' | 'organization'; content?: string }[] }
>;
/** Reports that an MCP server is done with an address that it asked the user to open. */
export type SDKElicitationCompleteMessage = DeclaredMessage<'system/elicitation_complete'>;
/** Reports that a rule or mode denied a tool call without a prompt. */
export type SDKPermissionDeniedMessage = DeclaredMessage<
  'system/permission_denied',
  { decision_reason_type?: string }
>;
/** Sent by the official SDK, not by the CLI: a copy of the transcript could not be stored. */
export type SDKMirrorErrorMessage = DeclaredMessage<'system/mirror_error'>;
/** Reports that the disk was full and parts of the transcript are lost. */
export type SDKSessionWritesLostMessage = DeclaredMessage<
  'system/session_writes_lost',
  { lost: ('transcript' | 'global_config')[] }
>;
/** A tool call is still running; reports the elapsed seconds. */
export type SDKToolProgressMessage = DeclaredMessage<
  'tool_progress',
  {
    subagent_retry?: {
      agent_id: string;
      attempt: number;
      max_retries: number;
      retry_delay_ms: number;
      error_status: number | null;
      error_category: string;
    };
  }
>;
/** Summarises several tool calls in a sentence. */
export type SDKToolUseSummaryMessage = DeclaredMessage<'tool_use_summary'>;
/** Reports progress of a sign-in. */
export type SDKAuthStatusMessage = DeclaredMessage<'auth_status'>;
/** A usage limit as reported by the API. */
export type SDKRateLimitInfo = Refined<
  Declared<Message<'rate_limit_event'>>['rate_limit_info'],
  {
    status: RateLimitStatus;
    rateLimitType?:
      | 'five_hour'
      | 'seven_day'
      | 'seven_day_opus'
      | 'seven_day_sonnet'
      | 'seven_day_overage_included'
      | 'overage';
    overageStatus?: RateLimitStatus;
    overageDisabledReason?: OverageDisabledReason;
    limitScope?: 'service' | 'channel' | 'group_pool';
    errorCode?: 'credits_required';
  }
>;
/** Reports how close the account is to its limits. */
export type SDKRateLimitEvent = DeclaredMessage<'rate_limit_event', { rate_limit_info: SDKRateLimitInfo }>;
/** Suggests what the user might say next. */
export type SDKPromptSuggestionMessage = DeclaredMessage<'prompt_suggestion'>;
/** The conversation was cleared and continues under a new id. */
export type SDKConversationResetMessage = DeclaredMessage<
  'conversation_reset',
  { new_conversation_id: UUID }
>;
/** States the goal that the CLI keeps working towards, or that there is none. */
export type SDKActiveGoalMessage = DeclaredMessage<
  'active_goal',
  {
    value: {
      condition: string;
      iterations: number;
      set_at: number;
      tokens_at_start: number;
      last_reason?: string;
    } | null;
    uuid: UUID;
    session_id: string;
  }
>;

/** Any message of a query; narrow it by `type` and `subtype`. Newer CLIs may send more kinds. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKCompactBoundaryMessage
  | SDKStatusMessage
  | SDKAPIRetryMessage
  | SDKControlRequestProgressMessage
  | SDKModelRefusalFallbackMessage
  | SDKModelRefusalNoFallbackMessage
  | SDKLocalCommandOutputMessage
  | SDKInformationalMessage
  | SDKNotificationMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKPluginInstallMessage
  | SDKToolProgressMessage
  | SDKAuthStatusMessage
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage
  | SDKThinkingTokensMessage
  | SDKSessionStateChangedMessage
  | SDKWorkerShuttingDownMessage
  | SDKCommandsChangedMessage
  | SDKFilesPersistedEvent
  | SDKMemoryRecallMessage
  | SDKElicitationCompleteMessage
  | SDKPermissionDeniedMessage
  | SDKMirrorErrorMessage
  | SDKSessionWritesLostMessage
  | SDKToolUseSummaryMessage
  | SDKRateLimitEvent
  | SDKPromptSuggestionMessage
  | SDKConversationResetMessage;
