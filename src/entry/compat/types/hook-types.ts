import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type {
  HookInput as CatalogInput,
  HookOutput as CatalogOutput,
} from '../../../wire/protocol/catalog/types.js';
import type { Declared, Refined } from './declared.js';
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

type InputOf<Name extends HookEventName, Own = unknown> = Omit<
  Declared<CatalogInput<Name>>,
  keyof BaseHookInput | keyof Own
> &
  BaseHookInput &
  Own;
/** What a hook of ConfigChange is told. */
export type ConfigChangeHookInput = InputOf<'ConfigChange'>;
/** What a hook of CwdChanged is told. */
export type CwdChangedHookInput = InputOf<'CwdChanged'>;
/** What a hook of DirectoryAdded is told. */
export type DirectoryAddedHookInput = InputOf<'DirectoryAdded'>;
/** What a hook of Elicitation is told. */
export type ElicitationHookInput = InputOf<'Elicitation'>;
/** What a hook of ElicitationResult is told. */
export type ElicitationResultHookInput = InputOf<'ElicitationResult'>;
/** What a hook of FileChanged is told. */
export type FileChangedHookInput = InputOf<'FileChanged'>;
/** What a hook of InstructionsLoaded is told. */
export type InstructionsLoadedHookInput = InputOf<'InstructionsLoaded'>;
/** What a hook of MessageDisplay is told. */
export type MessageDisplayHookInput = InputOf<'MessageDisplay'>;
/** What a hook of Notification is told. */
export type NotificationHookInput = InputOf<'Notification'>;
/** What a hook of PermissionDenied is told. */
export type PermissionDeniedHookInput = InputOf<'PermissionDenied'>;
/** What a hook of PermissionRequest is told. */
export type PermissionRequestHookInput = InputOf<
  'PermissionRequest',
  { permission_suggestions?: PermissionUpdate[] }
>;
/** What a hook of PostCompact is told. */
export type PostCompactHookInput = InputOf<'PostCompact'>;
/** What a hook of PostModelSwitch is told. */
export type PostModelSwitchHookInput = InputOf<'PostModelSwitch'>;
/** What a hook of PostToolBatch is told. */
export type PostToolBatchHookInput = InputOf<'PostToolBatch'>;
/** What a hook of PostToolUseFailure is told. */
export type PostToolUseFailureHookInput = InputOf<'PostToolUseFailure'>;
/** What a hook of PostToolUse is told. */
export type PostToolUseHookInput = InputOf<'PostToolUse'>;
/** What a hook of PreCompact is told. */
export type PreCompactHookInput = InputOf<'PreCompact'>;
/** What a hook of PreModelSwitch is told. */
export type PreModelSwitchHookInput = InputOf<'PreModelSwitch'>;
/** What a hook of PreToolUse is told. */
export type PreToolUseHookInput = InputOf<'PreToolUse'>;
/** What a hook of SessionEnd is told. */
export type SessionEndHookInput = InputOf<'SessionEnd'>;
/** What a hook of SessionStart is told. */
export type SessionStartHookInput = InputOf<'SessionStart'>;
/** What a hook of Setup is told. */
export type SetupHookInput = InputOf<'Setup'>;
/** What a hook of StopFailure is told. */
export type StopFailureHookInput = InputOf<'StopFailure', { error: SDKAssistantMessageError }>;
/** What a hook of Stop is told. */
export type StopHookInput = InputOf<'Stop', WithWork>;
/** What a hook of SubagentStart is told. */
export type SubagentStartHookInput = InputOf<'SubagentStart', { agent_id: string; agent_type: string }>;
/** What a hook of SubagentStop is told. */
export type SubagentStopHookInput = InputOf<
  'SubagentStop',
  WithWork & { agent_id: string; agent_type: string }
>;
/** What a hook of TaskCompleted is told. */
export type TaskCompletedHookInput = InputOf<'TaskCompleted'>;
/** What a hook of TaskCreated is told. */
export type TaskCreatedHookInput = InputOf<'TaskCreated'>;
/** What a hook of TeammateIdle is told. */
export type TeammateIdleHookInput = InputOf<'TeammateIdle'>;
/** What a hook of UserPromptExpansion is told. */
export type UserPromptExpansionHookInput = InputOf<'UserPromptExpansion'>;
/** What a hook of UserPromptSubmit is told. */
export type UserPromptSubmitHookInput = InputOf<'UserPromptSubmit'>;
/** What a hook of WorktreeCreate is told. */
export type WorktreeCreateHookInput = InputOf<'WorktreeCreate'>;
/** What a hook of WorktreeRemove is told. */
export type WorktreeRemoveHookInput = InputOf<'WorktreeRemove'>;

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
type SpecificOf<Name extends HookEventName> = NonNullable<
  Extract<Declared<CatalogOutput<Name>>, { hookSpecificOutput?: unknown }>['hookSpecificOutput']
>;

/** What only a hook of CwdChanged can answer. */
export type CwdChangedHookSpecificOutput = SpecificOf<'CwdChanged'>;
/** What only a hook of Elicitation can answer. */
export type ElicitationHookSpecificOutput = SpecificOf<'Elicitation'>;
/** What only a hook of ElicitationResult can answer. */
export type ElicitationResultHookSpecificOutput = SpecificOf<'ElicitationResult'>;
/** What only a hook of FileChanged can answer. */
export type FileChangedHookSpecificOutput = SpecificOf<'FileChanged'>;
/** What only a hook of MessageDisplay can answer. */
export type MessageDisplayHookSpecificOutput = SpecificOf<'MessageDisplay'>;
/** What only a hook of Notification can answer. */
export type NotificationHookSpecificOutput = SpecificOf<'Notification'>;
/** What only a hook of PermissionDenied can answer. */
export type PermissionDeniedHookSpecificOutput = SpecificOf<'PermissionDenied'>;
/** What only a hook of PermissionRequest can answer. */
export type PermissionRequestHookSpecificOutput = Refined<
  SpecificOf<'PermissionRequest'>,
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
export type PostModelSwitchHookSpecificOutput = SpecificOf<'PostModelSwitch'>;
/** What only a hook of PostToolBatch can answer. */
export type PostToolBatchHookSpecificOutput = SpecificOf<'PostToolBatch'>;
/** What only a hook of PostToolUseFailure can answer. */
export type PostToolUseFailureHookSpecificOutput = SpecificOf<'PostToolUseFailure'>;
/** What only a hook of PostToolUse can answer. */
export type PostToolUseHookSpecificOutput = SpecificOf<'PostToolUse'>;
/** What only a hook of PreModelSwitch can answer. */
export type PreModelSwitchHookSpecificOutput = SpecificOf<'PreModelSwitch'>;
/** What only a hook of PreToolUse can answer. */
export type PreToolUseHookSpecificOutput = SpecificOf<'PreToolUse'>;
/** What only a hook of SessionStart can answer. */
export type SessionStartHookSpecificOutput = SpecificOf<'SessionStart'>;
/** What only a hook of Setup can answer. */
export type SetupHookSpecificOutput = SpecificOf<'Setup'>;
/** What only a hook of Stop can answer. */
export type StopHookSpecificOutput = SpecificOf<'Stop'>;
/** What only a hook of SubagentStart can answer. */
export type SubagentStartHookSpecificOutput = SpecificOf<'SubagentStart'>;
/** What only a hook of SubagentStop can answer. */
export type SubagentStopHookSpecificOutput = SpecificOf<'SubagentStop'>;
/** What only a hook of UserPromptExpansion can answer. */
export type UserPromptExpansionHookSpecificOutput = SpecificOf<'UserPromptExpansion'>;
/** What only a hook of UserPromptSubmit can answer. */
export type UserPromptSubmitHookSpecificOutput = SpecificOf<'UserPromptSubmit'>;
/** What only a hook of WorktreeCreate can answer. */
export type WorktreeCreateHookSpecificOutput = SpecificOf<'WorktreeCreate'>;

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
