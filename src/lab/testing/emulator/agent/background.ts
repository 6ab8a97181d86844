import { randomBytes } from 'node:crypto';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';
import type { TaskState } from '../session-state.js';
import { beginTask, finishBackground } from '../steps/task-steps.js';
import type { ToolOutcome } from '../turns/tool-result.js';
import { runCommand } from './shell.js';

/** Runs a command in the background; the model is told when it ends. */
export async function startInBackground(
  cli: Cli,
  input: WireObject,
  toolUseId: string,
): Promise<ToolOutcome> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([cli.exited, stopped.signal]);
  const command = runCommand(String(input.command), { cwd: cli.state.cwd, signal });
  const description = String(input.description ?? input.command);
  const task = newTask({
    type: 'local_bash',
    description,
    toolUseId,
    output: command.output,
    stop: () => stopped.abort(),
  });
  if (cli.traits.tellsTasks) await beginTask(cli, task);
  void command.end.then(({ code }) => {
    const end = code === 0 ? 'completed' : 'failed';
    return endTask(cli, task, { status: end, summary: `Background command "${description}" ${end}` });
  });
  return { content: `Command running in background with ID: ${task.id}`, isError: false };
}

/** A task that has just started. */
export function newTask(
  parts: Pick<TaskState, 'type' | 'description' | 'toolUseId' | 'output' | 'stop'>,
): TaskState {
  const id = randomBytes(8).toString('hex');
  return { ...parts, id, runId: `run-${id}`, status: 'running' };
}

/** How a task ended. */
export interface TaskEnd {
  readonly status: 'completed' | 'failed';
  readonly summary: string;
}

/** Reports the end of a task that nobody stopped, and tells the model. */
export async function endTask(cli: Cli, task: TaskState, { status, summary }: TaskEnd): Promise<void> {
  if (task.status !== 'running' || cli.exited.aborted || !cli.traits.tellsTasks) return;
  task.status = status;
  await finishBackground(cli, task, { patch: status, notice: status, summary });
  cli.turns.notify({ text: `<task-notification>${summary}</task-notification>`, taskRunId: task.runId });
}
