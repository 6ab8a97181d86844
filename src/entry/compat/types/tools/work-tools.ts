// Tools that run commands, agents and scheduled work.
import type { EffortLevel } from '../option-types.js';
import type { PermissionMode } from '../permission-types.js';

/** The input of the tool Agent. */
export type AgentInput = {
  description: string;
  prompt: string;
  subagent_type?: string;
  model?: 'sonnet' | 'opus' | 'haiku' | 'fable';
  effort?: EffortLevel;
  run_in_background?: boolean;
  name?: string;
  team_name?: string;
  mode?: PermissionMode;
  isolation?: 'worktree' | 'remote';
};

/** The output of the tool Agent. */
export type AgentOutput =
  | {
      agentId: string;
      agentType?: string;
      content: {
        type: 'text';
        text: string;
        citations?: unknown[] | null;
      }[];
      resolvedModel?: string;
      modelsUsed?: string[];
      totalToolUseCount: number;
      totalDurationMs: number;
      totalTokens: number;
      usage: {
        input_tokens: number;
        output_tokens: number;
        cache_creation_input_tokens: number | null;
        cache_read_input_tokens: number | null;
        server_tool_use: {
          web_search_requests: number;
          web_fetch_requests: number;
        } | null;
        service_tier: string | null;
        cache_creation: {
          ephemeral_1h_input_tokens: number;
          ephemeral_5m_input_tokens: number;
        } | null;
        inference_geo?: string | null;
        speed?: string | null;
        iterations?: unknown;
        output_tokens_details?: {
          thinking_tokens?: number | null;
        } | null;
        fallback_credit?: unknown;
      };
      toolsUsed?: string[];
      toolStats?: {
        readCount: number;
        searchCount: number;
        bashCount: number;
        editFileCount: number;
        linesAdded: number;
        linesRemoved: number;
        otherToolCount: number;
        frameCount?: number;
      };
      status: 'completed';
      prompt: string;
      worktreePath?: string;
      worktreeBranch?: string;
    }
  | {
      status: 'async_launched';
      isAsync?: true;
      agentId: string;
      description: string;
      resolvedModel?: string;
      modelsUsed?: string[];
      prompt: string;
      outputFile: string;
      canReadOutputFile?: boolean;
    }
  | {
      status: 'remote_launched';
      taskId: string;
      sessionUrl: string;
      description: string;
      prompt: string;
      outputFile: string;
    };

/** The input of the tool Bash. */
export type BashInput = {
  command: string;
  timeout?: number;
  description?: string;
  run_in_background?: boolean;
  dangerouslyDisableSandbox?: boolean;
};

/** The output of the tool Bash. */
export type BashOutput = {
  stdout: string;
  stderr: string;
  rawOutputPath?: string;
  interrupted: boolean;
  isImage?: boolean;
  backgroundTaskId?: string;
  backgroundedByUser?: boolean;
  timedOutAfterMs?: number;
  backgroundCwdHint?: string;
  backgroundEndsWithFinalResponse?: true;
  backgroundWakesOwner?: true;
  dangerouslyDisableSandbox?: boolean;
  returnCodeInterpretation?: string;
  noOutputExpected?: boolean;
  structuredContent?: unknown[];
  persistedOutputPath?: string;
  persistedOutputSize?: number;
  staleReadFileStateHint?: string;
  ghRateLimitHint?: string;
  gitOperation?: {
    commit?: {
      sha: string;
      kind: 'committed' | 'amended' | 'cherry-picked';
      branch?: string;
    };
    push?: {
      branch: string;
    };
    branch?: {
      ref: string;
      action: 'merged' | 'rebased';
    };
    pr?: {
      number: number;
      url?: string;
      action:
        | 'merged'
        | 'created'
        | 'edited'
        | 'commented'
        | 'closed'
        | 'reopened'
        | 'ready'
        | 'draft'
        | 'auto-merge-enabled'
        | 'auto-merge-disabled';
    };
  };
};

/** The input of the tool Monitor. */
export type MonitorInput = {
  description: string;
  timeout_ms: number;
  command?: string;
  ws?: {
    url: string;
    protocols?: string[];
  };
};

/** The output of the tool Monitor. */
export type MonitorOutput = {
  taskId: string;
  timeoutMs: number;
  persistent?: boolean;
};

/** The input of the tool TaskStop. */
export type TaskStopInput = {
  task_id?: string;
  shell_id?: string;
};

/** The output of the tool TaskStop. */
export type TaskStopOutput = {
  message: string;
  task_id: string;
  task_type: string;
  command?: string;
};

/** The input of the tool Workflow. */
export type WorkflowInput = {
  script?: string;
  name?: string;
  description?: string;
  title?: string;
  args?: Record<string, unknown>;
  scriptPath?: string;
  resumeFromRunId?: string;
};

/** The output of the tool Workflow. */
export type WorkflowOutput = {
  status: 'async_launched' | 'remote_launched';
  taskId: string;
  taskType?: 'local_workflow' | 'remote_agent';
  workflowName?: string;
  runId?: string;
  summary?: string;
  transcriptDir?: string;
  scriptPath?: string;
  sessionUrl?: string;
  warning?: string;
  error?: string;
};

/** The input of the tool TaskCreate. */
export type TaskCreateInput = {
  subject: string;
  description: string;
  activeForm?: string;
  metadata?: Record<string, unknown>;
};

/** The output of the tool TaskCreate. */
export type TaskCreateOutput = {
  task: {
    id: string;
    subject: string;
    description?: string;
  };
};

/** The input of the tool TaskGet. */
export type TaskGetInput = {
  taskId: string;
};

/** The output of the tool TaskGet. */
export type TaskGetOutput = {
  task: {
    id: string;
    subject: string;
    description: string;
    status: 'completed' | 'pending' | 'in_progress';
    blocks: string[];
    blockedBy: string[];
  } | null;
};

/** The input of the tool TaskList. */
// biome-ignore lint/complexity/noBannedTypes: the tool takes nothing.
export type TaskListInput = {};

/** The output of the tool TaskList. */
export type TaskListOutput = {
  tasks: {
    id: string;
    subject: string;
    status: 'completed' | 'pending' | 'in_progress';
    owner?: string;
    blockedBy: string[];
  }[];
};

/** The input of the tool TaskUpdate. */
export type TaskUpdateInput = {
  taskId: string;
  subject?: string;
  description?: string;
  activeForm?: string;
  status?: 'completed' | 'pending' | 'in_progress' | 'deleted';
  addBlocks?: string[];
  addBlockedBy?: string[];
  owner?: string;
  metadata?: Record<string, unknown>;
};

/** The output of the tool TaskUpdate. */
export type TaskUpdateOutput = {
  success: boolean;
  taskId: string;
  updatedFields: string[];
  error?: string;
  statusChange?: {
    from: string;
    to: string;
  };
};

/** The input of the tool TodoWrite. */
export type TodoWriteInput = {
  todos: Todo[];
};

/** The output of the tool TodoWrite. */
export type TodoWriteOutput = {
  oldTodos: Todo[];
  newTodos: Todo[];
};

/** The input of the tool EnterWorktree. */
export type EnterWorktreeInput = {
  name?: string;
  path?: string;
};

/** The output of the tool EnterWorktree. */
export type EnterWorktreeOutput = {
  worktreePath: string;
  worktreeBranch?: string;
  message: string;
};

/** The input of the tool ExitWorktree. */
export type ExitWorktreeInput = {
  action: 'keep' | 'remove';
  discard_changes?: boolean;
};

/** The output of the tool ExitWorktree. */
export type ExitWorktreeOutput = {
  action: 'keep' | 'remove';
  originalCwd: string;
  worktreePath: string;
  worktreeBranch?: string;
  tmuxSessionName?: string;
  discardedFiles?: number;
  discardedCommits?: number;
  message: string;
};

/** The input of the tool CronCreate. */
export type CronCreateInput = {
  cron: string;
  prompt: string;
  recurring?: boolean;
  durable?: boolean;
};

/** The output of the tool CronCreate. */
export type CronCreateOutput = {
  id: string;
  humanSchedule: string;
  recurring: boolean;
  durable?: boolean;
  nextFireAt?: number;
};

/** The input of the tool CronDelete. */
export type CronDeleteInput = {
  id: string;
};

/** The output of the tool CronDelete. */
export type CronDeleteOutput = {
  id: string;
  endedLoopWakeup?: true;
};

/** The input of the tool CronList. */
// biome-ignore lint/complexity/noBannedTypes: the tool takes nothing.
export type CronListInput = {};

/** The output of the tool CronList. */
export type CronListOutput = {
  jobs: {
    id: string;
    cron: string;
    humanSchedule: string;
    prompt: string;
    recurring?: boolean;
    durable?: boolean;
    nextFireAt?: number;
  }[];
};

/** The input of the tool ScheduleWakeup. */
export type ScheduleWakeupInput = {
  delaySeconds?: number;
  reason?: string;
  prompt?: string;
  stop?: boolean;
  noop?: boolean;
};

/** The output of the tool ScheduleWakeup. */
export type ScheduleWakeupOutput = {
  scheduledFor: number;
  clampedDelaySeconds: number;
  wasClamped: boolean;
  stopped?: boolean;
  cancelledWakeups?: number;
};

/** The input of the tool RemoteTrigger. */
export type RemoteTriggerInput = {
  action:
    | 'list'
    | 'get'
    | 'create'
    | 'update'
    | 'run'
    | 'create_webhook_trigger'
    | 'list_runs'
    | 'get_run_log';
  trigger_id?: string;
  session_id?: string;
  cursor?: string;
  body?: Record<string, unknown>;
};

/** The output of the tool RemoteTrigger. */
export type RemoteTriggerOutput = {
  status: number;
  json: string;
  summary?: string;
};

/** An item of a list of things to do. */
export type Todo = {
  content: string;
  status: 'completed' | 'pending' | 'in_progress';
  activeForm: string;
};

/** The input of any of these tools. */
export type AnyWorkInput =
  | AgentInput
  | BashInput
  | MonitorInput
  | TaskStopInput
  | WorkflowInput
  | TaskCreateInput
  | TaskGetInput
  | TaskListInput
  | TaskUpdateInput
  | TodoWriteInput
  | EnterWorktreeInput
  | ExitWorktreeInput
  | CronCreateInput
  | CronDeleteInput
  | CronListInput
  | ScheduleWakeupInput
  | RemoteTriggerInput;

/** The output of any of these tools. */
export type AnyWorkOutput =
  | AgentOutput
  | BashOutput
  | MonitorOutput
  | TaskStopOutput
  | WorkflowOutput
  | TaskCreateOutput
  | TaskGetOutput
  | TaskListOutput
  | TaskUpdateOutput
  | TodoWriteOutput
  | EnterWorktreeOutput
  | ExitWorktreeOutput
  | CronCreateOutput
  | CronDeleteOutput
  | CronListOutput
  | ScheduleWakeupOutput
  | RemoteTriggerOutput;
