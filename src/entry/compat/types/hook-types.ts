import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type {
  HookInput as CatalogInput,
  HookOutput as CatalogOutput,
} from '../../../wire/protocol/catalog/types.js';
import type { Declared, Refined } from './declared.js';
import type { SDKAssistantMessageError } from './message-types.js';
import type { PermissionUpdate } from './permission-types.js';

export type HookEvent = HookEventName;
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';
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
export type ConfigChangeHookInput = InputOf<'ConfigChange'>;
export type CwdChangedHookInput = InputOf<'CwdChanged'>;
export type DirectoryAddedHookInput = InputOf<'DirectoryAdded'>;
export type ElicitationHookInput = InputOf<'Elicitation'>;
export type ElicitationResultHookInput = InputOf<'ElicitationResult'>;
export type FileChangedHookInput = InputOf<'FileChanged'>;
export type InstructionsLoadedHookInput = InputOf<'InstructionsLoaded'>;
export type MessageDisplayHookInput = InputOf<'MessageDisplay'>;
export type NotificationHookInput = InputOf<'Notification'>;
export type PermissionDeniedHookInput = InputOf<'PermissionDenied'>;
export type PermissionRequestHookInput = InputOf<
  'PermissionRequest',
  { permission_suggestions?: PermissionUpdate[] }
>;
export type PostCompactHookInput = InputOf<'PostCompact'>;
export type PostModelSwitchHookInput = InputOf<'PostModelSwitch'>;
export type PostToolBatchHookInput = InputOf<'PostToolBatch'>;
export type PostToolUseFailureHookInput = InputOf<'PostToolUseFailure'>;
export type PostToolUseHookInput = InputOf<'PostToolUse'>;
export type PreCompactHookInput = InputOf<'PreCompact'>;
export type PreModelSwitchHookInput = InputOf<'PreModelSwitch'>;
export type PreToolUseHookInput = InputOf<'PreToolUse'>;
export type SessionEndHookInput = InputOf<'SessionEnd'>;
export type SessionStartHookInput = InputOf<'SessionStart'>;
export type SetupHookInput = InputOf<'Setup'>;
export type StopFailureHookInput = InputOf<'StopFailure', { error: SDKAssistantMessageError }>;
export type StopHookInput = InputOf<'Stop', WithWork>;
export type SubagentStartHookInput = InputOf<'SubagentStart', { agent_id: string; agent_type: string }>;
export type SubagentStopHookInput = InputOf<
  'SubagentStop',
  WithWork & { agent_id: string; agent_type: string }
>;
export type TaskCompletedHookInput = InputOf<'TaskCompleted'>;
export type TaskCreatedHookInput = InputOf<'TaskCreated'>;
export type TeammateIdleHookInput = InputOf<'TeammateIdle'>;
export type UserPromptExpansionHookInput = InputOf<'UserPromptExpansion'>;
export type UserPromptSubmitHookInput = InputOf<'UserPromptSubmit'>;
export type WorktreeCreateHookInput = InputOf<'WorktreeCreate'>;
export type WorktreeRemoveHookInput = InputOf<'WorktreeRemove'>;

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

export type CwdChangedHookSpecificOutput = SpecificOf<'CwdChanged'>;
export type ElicitationHookSpecificOutput = SpecificOf<'Elicitation'>;
export type ElicitationResultHookSpecificOutput = SpecificOf<'ElicitationResult'>;
export type FileChangedHookSpecificOutput = SpecificOf<'FileChanged'>;
export type MessageDisplayHookSpecificOutput = SpecificOf<'MessageDisplay'>;
export type NotificationHookSpecificOutput = SpecificOf<'Notification'>;
export type PermissionDeniedHookSpecificOutput = SpecificOf<'PermissionDenied'>;
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
export type PostModelSwitchHookSpecificOutput = SpecificOf<'PostModelSwitch'>;
export type PostToolBatchHookSpecificOutput = SpecificOf<'PostToolBatch'>;
export type PostToolUseFailureHookSpecificOutput = SpecificOf<'PostToolUseFailure'>;
export type PostToolUseHookSpecificOutput = SpecificOf<'PostToolUse'>;
export type PreModelSwitchHookSpecificOutput = SpecificOf<'PreModelSwitch'>;
export type PreToolUseHookSpecificOutput = SpecificOf<'PreToolUse'>;
export type SessionStartHookSpecificOutput = SpecificOf<'SessionStart'>;
export type SetupHookSpecificOutput = SpecificOf<'Setup'>;
export type StopHookSpecificOutput = SpecificOf<'Stop'>;
export type SubagentStartHookSpecificOutput = SpecificOf<'SubagentStart'>;
export type SubagentStopHookSpecificOutput = SpecificOf<'SubagentStop'>;
export type UserPromptExpansionHookSpecificOutput = SpecificOf<'UserPromptExpansion'>;
export type UserPromptSubmitHookSpecificOutput = SpecificOf<'UserPromptSubmit'>;
export type WorktreeCreateHookSpecificOutput = SpecificOf<'WorktreeCreate'>;

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

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
