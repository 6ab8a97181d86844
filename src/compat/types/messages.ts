import type { MessageName } from '../../protocol/catalog/catalog.js';
import type { Message } from '../../protocol/catalog/types.js';
import type { Declared } from './declared.js';

type Wire<Name extends MessageName> = Declared<Message<Name>>;

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

export type SDKUserMessageReplay = Wire<'user/replay'>;
export type SDKAssistantMessage = Wire<'assistant'>;
export type SDKAssistantMessageError = NonNullable<SDKAssistantMessage['error']>;
export type SDKPartialAssistantMessage = Wire<'stream_event'>;
export type SDKResultSuccess = Wire<'result/success'>;
export type SDKResultError =
  | Wire<'result/error_during_execution'>
  | Wire<'result/error_max_turns'>
  | Wire<'result/error_max_budget_usd'>
  | Wire<'result/error_max_structured_output_retries'>;
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
export type SDKSystemMessage = Wire<'system/init'>;
export type SDKStatusMessage = Wire<'system/status'>;
export type SDKStatus = SDKStatusMessage['status'];
export type SDKCompactBoundaryMessage = Wire<'system/compact_boundary'>;
export type SDKAPIRetryMessage = Wire<'system/api_retry'>;
export type SDKControlRequestProgressMessage = Wire<'system/control_request_progress'>;
export type SDKModelRefusalFallbackMessage = Wire<'system/model_refusal_fallback'>;
export type SDKModelRefusalNoFallbackMessage = Wire<'system/model_refusal_no_fallback'>;
export type SDKLocalCommandOutputMessage = Wire<'system/local_command_output'>;
export type SDKInformationalMessage = Wire<'system/informational'>;
export type SDKNotificationMessage = Wire<'system/notification'>;
export type SDKHookStartedMessage = Wire<'system/hook_started'>;
export type SDKHookProgressMessage = Wire<'system/hook_progress'>;
export type SDKHookResponseMessage = Wire<'system/hook_response'>;
export type SDKPluginInstallMessage = Wire<'system/plugin_install'>;
export type SDKTaskStartedMessage = Wire<'system/task_started'>;
export type SDKTaskProgressMessage = Wire<'system/task_progress'>;
export type SDKTaskUpdatedMessage = Wire<'system/task_updated'>;
export type SDKTaskNotificationMessage = Wire<'system/task_notification'>;
export type SDKBackgroundTasksChangedMessage = Wire<'system/background_tasks_changed'>;
export type SDKThinkingTokensMessage = Wire<'system/thinking_tokens'>;
export type SDKSessionStateChangedMessage = Wire<'system/session_state_changed'>;
export type SDKWorkerShuttingDownMessage = Wire<'system/worker_shutting_down'>;
export type SDKCommandsChangedMessage = Wire<'system/commands_changed'>;
export type SDKFilesPersistedEvent = Wire<'system/files_persisted'>;
export type SDKMemoryRecallMessage = Wire<'system/memory_recall'>;
export type SDKElicitationCompleteMessage = Wire<'system/elicitation_complete'>;
export type SDKPermissionDeniedMessage = Wire<'system/permission_denied'>;
export type SDKMirrorErrorMessage = Wire<'system/mirror_error'>;
export type SDKSessionWritesLostMessage = Wire<'system/session_writes_lost'>;
export type SDKToolProgressMessage = Wire<'tool_progress'>;
export type SDKToolUseSummaryMessage = Wire<'tool_use_summary'>;
export type SDKAuthStatusMessage = Wire<'auth_status'>;
export type SDKRateLimitEvent = Wire<'rate_limit_event'>;
export type SDKRateLimitInfo = SDKRateLimitEvent['rate_limit_info'];
export type SDKPromptSuggestionMessage = Wire<'prompt_suggestion'>;
export type SDKConversationResetMessage = Wire<'conversation_reset'>;
export type SDKActiveGoalMessage = Wire<'active_goal'>;
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
