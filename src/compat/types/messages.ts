import type { Message } from '../../protocol/catalog/types.js';

/** What a message of the user may carry as its content. */
export type UserContent =
  | string
  // biome-ignore lint/suspicious/noExplicitAny: content blocks are those of the model's API.
  | any[];

/** A message of the user, to the CLI or echoed by it. */
export type SDKUserMessage = {
  type: 'user';
  message: { role: 'user'; content: UserContent };
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  shouldQuery?: boolean;
  timestamp?: string;
  uuid?: `${string}-${string}-${string}-${string}-${string}`;
  session_id?: string;
};

export type SDKUserMessageReplay = Message<'user/replay'>;
export type SDKAssistantMessage = Message<'assistant'>;
export type SDKAssistantMessageError = NonNullable<SDKAssistantMessage['error']>;
export type SDKPartialAssistantMessage = Message<'stream_event'>;
export type SDKResultSuccess = Message<'result/success'>;
export type SDKResultError =
  | Message<'result/error_during_execution'>
  | Message<'result/error_max_turns'>
  | Message<'result/error_max_budget_usd'>
  | Message<'result/error_max_structured_output_retries'>;
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
export type SDKSystemMessage = Message<'system/init'>;
export type SDKStatusMessage = Message<'system/status'>;
export type SDKStatus = SDKStatusMessage['status'];
export type SDKCompactBoundaryMessage = Message<'system/compact_boundary'>;
export type SDKAPIRetryMessage = Message<'system/api_retry'>;
export type SDKControlRequestProgressMessage = Message<'system/control_request_progress'>;
export type SDKModelRefusalFallbackMessage = Message<'system/model_refusal_fallback'>;
export type SDKModelRefusalNoFallbackMessage = Message<'system/model_refusal_no_fallback'>;
export type SDKLocalCommandOutputMessage = Message<'system/local_command_output'>;
export type SDKInformationalMessage = Message<'system/informational'>;
export type SDKNotificationMessage = Message<'system/notification'>;
export type SDKHookStartedMessage = Message<'system/hook_started'>;
export type SDKHookProgressMessage = Message<'system/hook_progress'>;
export type SDKHookResponseMessage = Message<'system/hook_response'>;
export type SDKPluginInstallMessage = Message<'system/plugin_install'>;
export type SDKTaskStartedMessage = Message<'system/task_started'>;
export type SDKTaskProgressMessage = Message<'system/task_progress'>;
export type SDKTaskUpdatedMessage = Message<'system/task_updated'>;
export type SDKTaskNotificationMessage = Message<'system/task_notification'>;
export type SDKBackgroundTasksChangedMessage = Message<'system/background_tasks_changed'>;
export type SDKThinkingTokensMessage = Message<'system/thinking_tokens'>;
export type SDKSessionStateChangedMessage = Message<'system/session_state_changed'>;
export type SDKWorkerShuttingDownMessage = Message<'system/worker_shutting_down'>;
export type SDKCommandsChangedMessage = Message<'system/commands_changed'>;
export type SDKFilesPersistedEvent = Message<'system/files_persisted'>;
export type SDKMemoryRecallMessage = Message<'system/memory_recall'>;
export type SDKElicitationCompleteMessage = Message<'system/elicitation_complete'>;
export type SDKPermissionDeniedMessage = Message<'system/permission_denied'>;
export type SDKMirrorErrorMessage = Message<'system/mirror_error'>;
export type SDKSessionWritesLostMessage = Message<'system/session_writes_lost'>;
export type SDKToolProgressMessage = Message<'tool_progress'>;
export type SDKToolUseSummaryMessage = Message<'tool_use_summary'>;
export type SDKAuthStatusMessage = Message<'auth_status'>;
export type SDKRateLimitEvent = Message<'rate_limit_event'>;
export type SDKRateLimitInfo = SDKRateLimitEvent['rate_limit_info'];
export type SDKPromptSuggestionMessage = Message<'prompt_suggestion'>;
export type SDKConversationResetMessage = Message<'conversation_reset'>;
export type SDKActiveGoalMessage = Message<'active_goal'>;
export type SDKPermissionDenial = SDKResultSuccess['permission_denials'][number];
export type SDKMessageOrigin = NonNullable<SDKResultSuccess['origin']>;
export type TerminalReason = NonNullable<SDKResultSuccess['terminal_reason']>;
export type ModelUsage = SDKResultSuccess['modelUsage'][string];
export type NonNullableUsage = SDKResultSuccess['usage'];

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
