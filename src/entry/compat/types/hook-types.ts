import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { DeclaredHookInput, DeclaredHookOutput, Refined } from './declared.js';
import type { SDKAssistantMessageError } from './message-types.js';
import type { PermissionUpdate } from './permission-types.js';

/** An event that hooks can be registered for. */
export type HookEvent = HookEventName;
/** What a hook decides about a tool call. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';
/** Why the session ended. */
export type ExitReason = SessionEndHookInput['reason'];

/** What every hook is told. */
export type BaseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: { level: string };
};

/** Work that goes on behind a turn. */
export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

/** A prompt that comes back by itself. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

type WithWork = { background_tasks?: BackgroundTaskSummary[]; session_crons?: SessionCronSummary[] };

/** What a hook of ConfigChange is told. */
export type ConfigChangeHookInput = DeclaredHookInput<'ConfigChange', BaseHookInput>;
/** What a hook of CwdChanged is told. */
export type CwdChangedHookInput = DeclaredHookInput<'CwdChanged', BaseHookInput>;
/** What a hook of DirectoryAdded is told. */
export type DirectoryAddedHookInput = DeclaredHookInput<'DirectoryAdded', BaseHookInput>;
/** What a hook of Elicitation is told. */
export type ElicitationHookInput = DeclaredHookInput<'Elicitation', BaseHookInput>;
/** What a hook of ElicitationResult is told. */
export type ElicitationResultHookInput = DeclaredHookInput<'ElicitationResult', BaseHookInput>;
/** What a hook of FileChanged is told. */
export type FileChangedHookInput = DeclaredHookInput<'FileChanged', BaseHookInput>;
/** What a hook of InstructionsLoaded is told. */
export type InstructionsLoadedHookInput = DeclaredHookInput<'InstructionsLoaded', BaseHookInput>;
/** What a hook of MessageDisplay is told. */
export type MessageDisplayHookInput = DeclaredHookInput<'MessageDisplay', BaseHookInput>;
/** What a hook of Notification is told. */
export type NotificationHookInput = DeclaredHookInput<'Notification', BaseHookInput>;
/** What a hook of PermissionDenied is told. */
export type PermissionDeniedHookInput = DeclaredHookInput<'PermissionDenied', BaseHookInput>;
/** What a hook of PermissionRequest is told. */
export type PermissionRequestHookInput = DeclaredHookInput<
  'PermissionRequest',
  BaseHookInput,
  { permission_suggestions?: PermissionUpdate[] }
>;
/** What a hook of PostCompact is told. */
export type PostCompactHookInput = DeclaredHookInput<'PostCompact', BaseHookInput>;
/** What a hook of PostModelSwitch is told. */
export type PostModelSwitchHookInput = DeclaredHookInput<'PostModelSwitch', BaseHookInput>;
/** What a hook of PostToolBatch is told. */
export type PostToolBatchHookInput = DeclaredHookInput<'PostToolBatch', BaseHookInput>;
/** What a hook of PostToolUseFailure is told. */
export type PostToolUseFailureHookInput = DeclaredHookInput<'PostToolUseFailure', BaseHookInput>;
/** What a hook of PostToolUse is told. */
export type PostToolUseHookInput = DeclaredHookInput<'PostToolUse', BaseHookInput>;
/** What a hook of PreCompact is told. */
export type PreCompactHookInput = DeclaredHookInput<'PreCompact', BaseHookInput>;
/** What a hook of PreModelSwitch is told. */
export type PreModelSwitchHookInput = DeclaredHookInput<'PreModelSwitch', BaseHookInput>;
/** What a hook of PreToolUse is told. */
export type PreToolUseHookInput = DeclaredHookInput<'PreToolUse', BaseHookInput>;
/** What a hook of SessionEnd is told. */
export type SessionEndHookInput = DeclaredHookInput<'SessionEnd', BaseHookInput>;
/** What a hook of SessionStart is told. */
export type SessionStartHookInput = DeclaredHookInput<'SessionStart', BaseHookInput>;
/** What a hook of Setup is told. */
export type SetupHookInput = DeclaredHookInput<'Setup', BaseHookInput>;
/** What a hook of StopFailure is told. */
export type StopFailureHookInput = DeclaredHookInput<
  'StopFailure',
  BaseHookInput,
  { error: SDKAssistantMessageError }
>;
/** What a hook of Stop is told. */
export type StopHookInput = DeclaredHookInput<'Stop', BaseHookInput, WithWork>;
/** What a hook of SubagentStart is told. */
export type SubagentStartHookInput = DeclaredHookInput<
  'SubagentStart',
  BaseHookInput,
  { agent_id: string; agent_type: string }
>;
/** What a hook of SubagentStop is told. */
export type SubagentStopHookInput = DeclaredHookInput<
  'SubagentStop',
  BaseHookInput,
  WithWork & { agent_id: string; agent_type: string }
>;
/** What a hook of TaskCompleted is told. */
export type TaskCompletedHookInput = DeclaredHookInput<'TaskCompleted', BaseHookInput>;
/** What a hook of TaskCreated is told. */
export type TaskCreatedHookInput = DeclaredHookInput<'TaskCreated', BaseHookInput>;
/** What a hook of TeammateIdle is told. */
export type TeammateIdleHookInput = DeclaredHookInput<'TeammateIdle', BaseHookInput>;
/** What a hook of UserPromptExpansion is told. */
export type UserPromptExpansionHookInput = DeclaredHookInput<'UserPromptExpansion', BaseHookInput>;
/** What a hook of UserPromptSubmit is told. */
export type UserPromptSubmitHookInput = DeclaredHookInput<'UserPromptSubmit', BaseHookInput>;
/** What a hook of WorktreeCreate is told. */
export type WorktreeCreateHookInput = DeclaredHookInput<'WorktreeCreate', BaseHookInput>;
/** What a hook of WorktreeRemove is told. */
export type WorktreeRemoveHookInput = DeclaredHookInput<'WorktreeRemove', BaseHookInput>;

/** One of the calls of a batch. */
export type PostToolBatchToolCall = PostToolBatchHookInput['tool_calls'][number];

/** What a hook is told; narrow it by `hook_event_name`. */
export type HookInput =
  | ConfigChangeHookInput
  | CwdChangedHookInput
  | DirectoryAddedHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | FileChangedHookInput
  | InstructionsLoadedHookInput
  | MessageDisplayHookInput
  | NotificationHookInput
  | PermissionDeniedHookInput
  | PermissionRequestHookInput
  | PostCompactHookInput
  | PostModelSwitchHookInput
  | PostToolBatchHookInput
  | PostToolUseFailureHookInput
  | PostToolUseHookInput
  | PreCompactHookInput
  | PreModelSwitchHookInput
  | PreToolUseHookInput
  | SessionEndHookInput
  | SessionStartHookInput
  | SetupHookInput
  | StopFailureHookInput
  | StopHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | TaskCompletedHookInput
  | TaskCreatedHookInput
  | TeammateIdleHookInput
  | UserPromptExpansionHookInput
  | UserPromptSubmitHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput;

/** The part of an answer that belongs to one event. */
/** What only a hook of CwdChanged can answer. */
export type CwdChangedHookSpecificOutput = DeclaredHookOutput<'CwdChanged'>;
/** What only a hook of Elicitation can answer. */
export type ElicitationHookSpecificOutput = DeclaredHookOutput<'Elicitation'>;
/** What only a hook of ElicitationResult can answer. */
export type ElicitationResultHookSpecificOutput = DeclaredHookOutput<'ElicitationResult'>;
/** What only a hook of FileChanged can answer. */
export type FileChangedHookSpecificOutput = DeclaredHookOutput<'FileChanged'>;
/** What only a hook of MessageDisplay can answer. */
export type MessageDisplayHookSpecificOutput = DeclaredHookOutput<'MessageDisplay'>;
/** What only a hook of Notification can answer. */
export type NotificationHookSpecificOutput = DeclaredHookOutput<'Notification'>;
/** What only a hook of PermissionDenied can answer. */
export type PermissionDeniedHookSpecificOutput = DeclaredHookOutput<'PermissionDenied'>;
/** What only a hook of PermissionRequest can answer. */
export type PermissionRequestHookSpecificOutput = Refined<
  DeclaredHookOutput<'PermissionRequest'>,
  {
    decision:
      | {
          behavior: 'allow';
          updatedInput?: Record<string, unknown>;
          updatedPermissions?: PermissionUpdate[];
        }
      | { behavior: 'deny'; message?: string; interrupt?: boolean };
  }
>;
/** What only a hook of PostModelSwitch can answer. */
export type PostModelSwitchHookSpecificOutput = DeclaredHookOutput<'PostModelSwitch'>;
/** What only a hook of PostToolBatch can answer. */
export type PostToolBatchHookSpecificOutput = DeclaredHookOutput<'PostToolBatch'>;
/** What only a hook of PostToolUseFailure can answer. */
export type PostToolUseFailureHookSpecificOutput = DeclaredHookOutput<'PostToolUseFailure'>;
/** What only a hook of PostToolUse can answer. */
export type PostToolUseHookSpecificOutput = DeclaredHookOutput<'PostToolUse'>;
/** What only a hook of PreModelSwitch can answer. */
export type PreModelSwitchHookSpecificOutput = DeclaredHookOutput<'PreModelSwitch'>;
/** What only a hook of PreToolUse can answer. */
export type PreToolUseHookSpecificOutput = DeclaredHookOutput<'PreToolUse'>;
/** What only a hook of SessionStart can answer. */
export type SessionStartHookSpecificOutput = DeclaredHookOutput<'SessionStart'>;
/** What only a hook of Setup can answer. */
export type SetupHookSpecificOutput = DeclaredHookOutput<'Setup'>;
/** What only a hook of Stop can answer. */
export type StopHookSpecificOutput = DeclaredHookOutput<'Stop'>;
/** What only a hook of SubagentStart can answer. */
export type SubagentStartHookSpecificOutput = DeclaredHookOutput<'SubagentStart'>;
/** What only a hook of SubagentStop can answer. */
export type SubagentStopHookSpecificOutput = DeclaredHookOutput<'SubagentStop'>;
/** What only a hook of UserPromptExpansion can answer. */
export type UserPromptExpansionHookSpecificOutput = DeclaredHookOutput<'UserPromptExpansion'>;
/** What only a hook of UserPromptSubmit can answer. */
export type UserPromptSubmitHookSpecificOutput = DeclaredHookOutput<'UserPromptSubmit'>;
/** What only a hook of WorktreeCreate can answer. */
export type WorktreeCreateHookSpecificOutput = DeclaredHookOutput<'WorktreeCreate'>;

/** Lets the CLI go on at once; the hook answers later. */
export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook answers. */
export type SyncHookJSONOutput = {
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  systemMessage?: string;
  terminalSequence?: string;
  reason?: string;
  hookSpecificOutput?:
    | CwdChangedHookSpecificOutput
    | ElicitationHookSpecificOutput
    | ElicitationResultHookSpecificOutput
    | FileChangedHookSpecificOutput
    | MessageDisplayHookSpecificOutput
    | NotificationHookSpecificOutput
    | PermissionDeniedHookSpecificOutput
    | PermissionRequestHookSpecificOutput
    | PostModelSwitchHookSpecificOutput
    | PostToolBatchHookSpecificOutput
    | PostToolUseFailureHookSpecificOutput
    | PostToolUseHookSpecificOutput
    | PreModelSwitchHookSpecificOutput
    | PreToolUseHookSpecificOutput
    | SessionStartHookSpecificOutput
    | SetupHookSpecificOutput
    | StopHookSpecificOutput
    | SubagentStartHookSpecificOutput
    | SubagentStopHookSpecificOutput
    | UserPromptExpansionHookSpecificOutput
    | UserPromptSubmitHookSpecificOutput
    | WorktreeCreateHookSpecificOutput;
};

/** What a hook answers. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
