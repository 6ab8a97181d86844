import { finishTask } from '../steps/task-steps.js';
import type { Handlers } from './request-handler.js';

/** Requests about background work. */
export const taskHandlers: Handlers = {
  background_tasks: (request, { state }) => {
    const { tool_use_id: toolUseId } = request.body;
    if (toolUseId === undefined) request.succeed({});
    else
      request.succeed({
        backgrounded: [...state.tasks.values()].some((task) => task.toolUseId === toolUseId),
      });
  },
  stop_task: async (request, cli) => {
    const { task_id: id } = request.body;
    if (typeof id !== 'string') {
      request.refuse('stop_task: task_id must be a string');
      return;
    }
    const task = cli.state.tasks.get(id);
    if (task?.status === 'running') {
      task.status = 'killed';
      await finishTask(cli, task, { patch: 'killed', notice: 'stopped', summary: 'The task was stopped.' });
    }
    request.succeed({});
  },
  get_task_output: (request, { state }) => {
    const task = state.tasks.get(String(request.body.task_id));
    if (task === undefined) {
      request.refuse('get_task_output: no shell or Monitor task with that task_id in this session');
      return;
    }
    request.succeed({ output: task.output, total_bytes: Buffer.byteLength(task.output), truncated: false });
  },
};
