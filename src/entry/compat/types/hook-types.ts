import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { DeclaredHookInput, DeclaredHookOutput, Refined } from './declared.js';
import type { SDKAssistantMessageError } from './message-types.js';
import type { PermissionUpdate } from './permission-types.js';

/** An event that hooks can be registered for. */
export type HookEvent = HookEventName;
/** The decision of a hook about a tool call. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';
/** Why the session ended. */
export type ExitReason = SessionEndHookInput['reason'];

/** The input fields of every hook. */
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

/** Background work. */
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

/** A recurring prompt. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

type WithWork = { background_tasks?: BackgroundTaskSummary[]; session_crons?: SessionCronSummary[] };

/** The input of a ConfigChange hook. */
export type ConfigChangeHookInput = DeclaredHookInput<'ConfigChange', BaseHookInput>;
/** The input of a CwdChanged hook. */
export type CwdChangedHookInput = DeclaredHookInput<'CwdChanged', BaseHookInput>;
/** The input of a DirectoryAdded hook. */
export type DirectoryAddedHookInput = DeclaredHookInput<'DirectoryAdded', BaseHookInput>;
/** The input of an Elicitation hook. */
export type ElicitationHookInput = DeclaredHookInput<'Elicitation', BaseHookInput>;
/** The input of an ElicitationResult hook. */
export type ElicitationResultHookInput = DeclaredHookInput<'ElicitationResult', BaseHookInput>;
/** The input of a FileChanged hook. */
export type FileChangedHookInput = DeclaredHookInput<'FileChanged', BaseHookInput>;
/** The input of an InstructionsLoaded hook. */
export type InstructionsLoadedHookInput = DeclaredHookInput<'InstructionsLoaded', BaseHookInput>;
/** The input of a MessageDisplay hook. */
export type MessageDisplayHookInput = DeclaredHookInput<'MessageDisplay', BaseHookInput>;
/** The input of a Notification hook. */
export type NotificationHookInput = DeclaredHookInput<'Notification', BaseHookInput>;
/** The input of a PermissionDenied hook. */
export type PermissionDeniedHookInput = DeclaredHookInput<'PermissionDenied', BaseHookInput>;
/** The input of a PermissionRequest hook. */
export type PermissionRequestHookInput = DeclaredHookInput<
  'PermissionRequest',
  BaseHookInput,
  { permission_suggestions?: PermissionUpdate[] }
>;
/** The input of a PostCompact hook. */
export type PostCompactHookInput = DeclaredHookInput<'PostCompact', BaseHookInput>;
/** The input of a PostModelSwitch hook. */
export type PostModelSwitchHookInput = DeclaredHookInput<'PostModelSwitch', BaseHookInput>;
/** The input of a PostToolBatch hook. */
export type PostToolBatchHookInput = DeclaredHookInput<'PostToolBatch', BaseHookInput>;
/** The input of a PostToolUseFailure hook. */
export type PostToolUseFailureHookInput = DeclaredHookInput<'PostToolUseFailure', BaseHookInput>;
/** The input of a PostToolUse hook. */
export type PostToolUseHookInput = DeclaredHookInput<'PostToolUse', BaseHookInput>;
/** The input of a PreCompact hook. */
export type PreCompactHookInput = DeclaredHookInput<'PreCompact', BaseHookInput>;
/** The input of a PreModelSwitch hook. */
export type PreModelSwitchHookInput = DeclaredHookInput<'PreModelSwitch', BaseHookInput>;
/** The input of a PreToolUse hook. */
export type PreToolUseHookInput = DeclaredHookInput<'PreToolUse', BaseHookInput>;
/** The input of a SessionEnd hook. */
export type SessionEndHookInput = DeclaredHookInput<'SessionEnd', BaseHookInput>;
/** The input of a SessionStart hook. */
export type SessionStartHookInput = DeclaredHookInput<'SessionStart', BaseHookInput>;
/** The input of a Setup hook. */
export type SetupHookInput = DeclaredHookInput<'Setup', BaseHookInput>;
/** The input of a StopFailure hook. */
export type StopFailureHookInput = DeclaredHookInput<
  'StopFailure',
  BaseHookInput,
  { error: SDKAssistantMessageError }
>;
/** The input of a Stop hook. */
export type StopHookInput = DeclaredHookInput<'Stop', BaseHookInput, WithWork>;
/** The input of a SubagentStart hook. */
export type SubagentStartHookInput = DeclaredHookInput<
  'SubagentStart',
  BaseHookInput,
  { agent_id: string; agent_type: string }
>;
/** The input of a SubagentStop hook. */
export type SubagentStopHookInput = DeclaredHookInput<
  'SubagentStop',
  BaseHookInput,
  WithWork & { agent_id: string; agent_type: string }
>;
/** The input of a TaskCompleted hook. */
export type TaskCompletedHookInput = DeclaredHookInput<'TaskCompleted', BaseHookInput>;
/** The input of a TaskCreated hook. */
export type TaskCreatedHookInput = DeclaredHookInput<'TaskCreated', BaseHookInput>;
/** The input of a TeammateIdle hook. */
export type TeammateIdleHookInput = DeclaredHookInput<'TeammateIdle', BaseHookInput>;
/** The input of a UserPromptExpansion hook. */
export type UserPromptExpansionHookInput = DeclaredHookInput<'UserPromptExpansion', BaseHookInput>;
/** The input of a UserPromptSubmit hook. */
export type UserPromptSubmitHookInput = DeclaredHookInput<'UserPromptSubmit', BaseHookInput>;
/** The input of a WorktreeCreate hook. */
export type WorktreeCreateHookInput = DeclaredHookInput<'WorktreeCreate', BaseHookInput>;
/** The input of a WorktreeRemove hook. */
export type WorktreeRemoveHookInput = DeclaredHookInput<'WorktreeRemove', BaseHookInput>;

/** One of the calls of a batch. */
export type PostToolBatchToolCall = PostToolBatchHookInput['tool_calls'][number];

/** The input of a hook; narrow it by `hook_event_name`. */
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
/** The output fields of a CwdChanged hook. */
export type CwdChangedHookSpecificOutput = DeclaredHookOutput<'CwdChanged'>;
/** The output fields of an Elicitation hook. */
export type ElicitationHookSpecificOutput = DeclaredHookOutput<'Elicitation'>;
/** The output fields of an ElicitationResult hook. */
export type ElicitationResultHookSpecificOutput = DeclaredHookOutput<'ElicitationResult'>;
/** The output fields of a FileChanged hook. */
export type FileChangedHookSpecificOutput = DeclaredHookOutput<'FileChanged'>;
/** The output fields of a MessageDisplay hook. */
export type MessageDisplayHookSpecificOutput = DeclaredHookOutput<'MessageDisplay'>;
/** The output fields of a Notification hook. */
export type NotificationHookSpecificOutput = DeclaredHookOutput<'Notification'>;
/** The output fields of a PermissionDenied hook. */
export type PermissionDeniedHookSpecificOutput = DeclaredHookOutput<'PermissionDenied'>;
/** The output fields of a PermissionRequest hook. */
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
/** The output fields of a PostModelSwitch hook. */
export type PostModelSwitchHookSpecificOutput = DeclaredHookOutput<'PostModelSwitch'>;
/** The output fields of a PostToolBatch hook. */
export type PostToolBatchHookSpecificOutput = DeclaredHookOutput<'PostToolBatch'>;
/** The output fields of a PostToolUseFailure hook. */
export type PostToolUseFailureHookSpecificOutput = DeclaredHookOutput<'PostToolUseFailure'>;
/** The output fields of a PostToolUse hook. */
export type PostToolUseHookSpecificOutput = DeclaredHookOutput<'PostToolUse'>;
/** The output fields of a PreModelSwitch hook. */
export type PreModelSwitchHookSpecificOutput = DeclaredHookOutput<'PreModelSwitch'>;
/** The output fields of a PreToolUse hook. */
export type PreToolUseHookSpecificOutput = DeclaredHookOutput<'PreToolUse'>;
/** The output fields of a SessionStart hook. */
export type SessionStartHookSpecificOutput = DeclaredHookOutput<'SessionStart'>;
/** The output fields of a Setup hook. */
export type SetupHookSpecificOutput = DeclaredHookOutput<'Setup'>;
/** The output fields of a Stop hook. */
export type StopHookSpecificOutput = DeclaredHookOutput<'Stop'>;
/** The output fields of a SubagentStart hook. */
export type SubagentStartHookSpecificOutput = DeclaredHookOutput<'SubagentStart'>;
/** The output fields of a SubagentStop hook. */
export type SubagentStopHookSpecificOutput = DeclaredHookOutput<'SubagentStop'>;
/** The output fields of a UserPromptExpansion hook. */
export type UserPromptExpansionHookSpecificOutput = DeclaredHookOutput<'UserPromptExpansion'>;
/** The output fields of a UserPromptSubmit hook. */
export type UserPromptSubmitHookSpecificOutput = DeclaredHookOutput<'UserPromptSubmit'>;
/** The output fields of a WorktreeCreate hook. */
export type WorktreeCreateHookSpecificOutput = DeclaredHookOutput<'WorktreeCreate'>;

/** Lets the CLI continue immediately; the hook answers later. */
export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** The output of a hook. */
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

/** The output of a hook. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
