import type { WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import type { Cli, Scene } from '../cli.js';
import type { TaskState } from '../session-state.js';
import type { EndTaskStep, StartTaskStep, StepOf, TaskOptions } from './step-types.js';

/** Starts a background task that continues after the turn. Only newer CLIs report tasks. */
export function startTask(id: string, options: TaskOptions = {}): StepOf<'startTask'> {
  return { do: 'startTask', id, ...options };
}

/** A background task ends. If the CLI then starts a turn on its own, an `unasked` cue defines it. */
export function endTask(
  id: string,
  {
    status = 'completed',
    summary = 'The task is done.',
  }: Partial<Pick<StepOf<'endTask'>, 'status' | 'summary'>> = {},
): StepOf<'endTask'> {
  return { do: 'endTask', id, status, summary };
}

/** Plays {@link startTask}. */
export async function performStartTask(step: StartTaskStep, { cli }: Scene): Promise<void> {
  if (!cli.traits.tellsTasks) return;
  const { id, description = 'a background task', type = 'local_bash', toolUseId, output = '' } = step;
  await beginTask(cli, {
    id,
    description,
    type,
    toolUseId,
    runId: `run-${id}`,
    status: 'running',
    output: () => output,
  });
}

/** Reports a task to the host: the updated list if it runs in the background, then the task. */
export async function beginTask(cli: Cli, task: TaskState, details: WireObject = {}): Promise<void> {
  cli.state.tasks.set(task.id, task);
  if (details.is_backgrounded !== false) await sendTasks(cli);
  await cli.send(
    systemMessage('task_started', {
      ...naming(task),
      description: task.description,
      is_backgrounded: true,
      task_type: task.type,
      ...details,
      session_id: cli.state.sessionId,
    }),
  );
}

/** Plays {@link endTask}. */
export async function performEndTask(
  { id, status, summary }: EndTaskStep,
  { cli, where }: Scene,
): Promise<void> {
  const task = cli.state.tasks.get(id);
  if (!cli.traits.tellsTasks) return;
  if (task?.status !== 'running') {
    cli.fail({
      step: `${where}: endTask`,
      expected: `a running task ${id}`,
      got: task?.status ?? 'no such task',
    });
    return;
  }
  task.status = status;
  await finishBackground(cli, task, { patch: status, notice: status, summary });
}

/**
 * Reports the end of background work that nobody stopped. Older versions send no notification during a turn: it comes
 * before the turn about the task, and not at all if the running turn hears of it.
 */
export async function finishBackground(cli: Cli, task: TaskState, end: EndOfTask): Promise<void> {
  const isLater = !cli.traits.tellsTasksInTurn && cli.turns.current !== undefined;
  await finishTask(cli, task, end, isLater ? (told) => cli.turns.sendWithNotice(told) : undefined);
}

/** How the end of a task is reported. */
export interface EndOfTask {
  readonly patch: string;
  readonly notice: string;
  readonly summary: string;
}

/** Reports the end of a task to the host. Versions differ in when they drop it from the list. */
export async function finishTask(
  cli: Cli,
  task: TaskState,
  { patch, notice, summary }: EndOfTask,
  send: (told: WireObject) => Promise<void> | void = (told) => cli.send(told),
): Promise<void> {
  const session = { session_id: cli.state.sessionId };
  const { tool_use_id: _, ...plain } = naming(task);
  const { listsTasksUntilTold } = cli.traits;
  if (!listsTasksUntilTold) await sendTasks(cli);
  if (cli.traits.sends('system/task_updated')) {
    const ended = { status: patch, end_time: Date.now() };
    await cli.send(systemMessage('task_updated', { ...plain, patch: ended, ...session }));
  }
  const told = systemMessage('task_notification', {
    ...naming(task),
    status: notice,
    output_file: '',
    summary,
    ...session,
  });
  await send(told);
  if (listsTasksUntilTold) await sendTasks(cli);
}

function naming({ id, runId, toolUseId }: TaskState): WireObject {
  return { task_id: id, run_id: runId, ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }) };
}

/** Sends the list of background tasks. */
export async function sendTasks(cli: Cli): Promise<void> {
  if (!cli.traits.sends('system/background_tasks_changed')) return;
  const running = [...cli.state.tasks.values()].filter(({ status }) => status === 'running');
  const tasks = running.map(({ id, runId, type, description }) => ({
    task_id: id,
    run_id: runId,
    task_type: type,
    description,
  }));
  await cli.send(systemMessage('background_tasks_changed', { tasks, session_id: cli.state.sessionId }));
}
