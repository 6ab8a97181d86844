import { type ToolUseBlock, toolUse } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { served, unserved } from '../reaction.js';
import { labels, message, part } from '../reading.js';
import { judge, pass } from '../verdict.js';

/** Work in the background. */
export const tasks: ProbeGroup = {
  name: 'background work',
  probes: [
    probe(
      ['task:started', 'endpoint:get_task_output', 'task:stopped', 'task:not-backgrounded'],
      async (stage) => {
        const from = stage.now;
        await stage.turn([inBackground('sleep 60')]);
        const { quietMs } = stage.subject.patience;
        const started = await stage.maybe(message('system', 'task_started'), { from, ms: quietMs });
        const { task_id: id = 'nobody' } = started ?? {};
        if (started !== undefined) stage.record('message system/task_started', started);
        const moved = await stage.sendRequest('background_tasks', { tool_use_id: 'nobody' });
        const output = await stage.sendRequest('get_task_output', { task_id: id });
        const outputAnswer = await stage.reactionTo(output, quietMs);
        const stopped = await stage.request('stop_task', { task_id: id }, quietMs);
        stage.record('answer get_task_output', part(outputAnswer, 'value'));
        const movedAnswer = await stage.reactionTo(moved, 0);
        const told = stage.since(from).some(message('system', 'task_notification'));
        return {
          'task:started': judge(started !== undefined, 'it is not told'),
          'endpoint:get_task_output': served(outputAnswer),
          'task:stopped':
            stopped.kind === 'success' ? judge(told, labels(stage.since(from))) : unserved(stopped),
          'task:not-backgrounded':
            movedAnswer.kind === 'success'
              ? judge(part(movedAnswer, 'value').backgrounded === false, 'it says otherwise')
              : unserved(movedAnswer),
        };
      },
    ),
    probeOne('task:unasked-turn', async (stage) => {
      const from = stage.now;
      const { result } = await stage.turn([inBackground('sleep 1')]);
      const another = await stage.maybe((frame) => frame.type === 'result' && frame !== result, {
        from,
        ms: 1_000 + 2 * stage.subject.patience.quietMs,
      });
      if (another !== undefined) stage.record('message result unasked', another);
      return another === undefined ? judge(false, 'nothing happens') : pass;
    }),
  ],
};

function inBackground(command: string): ToolUseBlock {
  const input = { command, description: 'Waits', run_in_background: true };
  return toolUse('Bash', input);
}
