import type { WireObject } from '../../../wire/protocol/frames.js';
import { drip, type ToolUseBlock, text, toolUse } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { served, unserved } from '../reaction.js';
import { labels, list, message, part } from '../reading.js';
import type { Stage } from '../stage.js';
import { type Finding, judge, unsupported } from '../verdict.js';

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
        const stop = await stage.sendRequest('stop_task', { task_id: id });
        const stopped = await stage.reactionTo(stop, quietMs);
        stage.record('answer get_task_output', part(outputAnswer, 'value'));
        const movedAnswer = await stage.reactionTo(moved, 0);
        const told = stage.before(stop, from).some(message('system', 'task_notification'));
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
    probe(['task:unasked-turn', 'task:listed-until-told'], async (stage) => {
      const from = stage.now;
      const { result } = await stage.turn([inBackground('sleep 1')]);
      const another = await anotherResult(stage, { from, result });
      if (another !== undefined) stage.record('message result unasked', another);
      return {
        'task:unasked-turn': judge(another !== undefined, 'nothing happens'),
        'task:listed-until-told': listedUntilTold(stage.since(from)),
      };
    }),
    probe(['task:told-in-turn', 'task:heard-in-turn'], async (stage) => {
      const from = stage.now;
      const { frames, result } = await stage.turn([inBackground('sleep 0.5'), inForeground('sleep 3')]);
      const another = await anotherResult(stage, { from, result });
      const isInPrompts = JSON.stringify(stage.cli.model.calls.at(-1)?.messages).includes(
        'task-notification',
      );
      const { task_id: id } = frames.find(message('system', 'task_started')) ?? {};
      const isTold = frames
        .filter(message('system', 'task_notification'))
        .some((told) => told.task_id === id);
      return {
        'task:told-in-turn': judge(isTold, labels(frames)),
        'task:heard-in-turn': judge(
          isInPrompts && another === undefined,
          isInPrompts ? 'another turn follows' : 'the model hears nothing',
        ),
      };
    }),
    probeOne('task:turn-after-reply', async (stage) => {
      const from = stage.now;
      const { result } = await stage.turn([inBackground('sleep 0.5'), slowly]);
      const another = await anotherResult(stage, { from, result });
      return judge(another?.subtype === 'success', labels(stage.since(from)));
    }),
  ],
};

/** Takes three seconds. */
const slowly = drip(text('one two three four five six seven '), { chunkLength: 2, delayMs: 150 });

/** The result of a turn that nobody asked for. */
function anotherResult(
  stage: Stage,
  { from, result }: { readonly from: number; readonly result: WireObject },
): Promise<WireObject | undefined> {
  const ms = 1_000 + 2 * stage.subject.patience.quietMs;
  return stage.maybe((frame) => frame.type === 'result' && frame !== result, { from, ms });
}

function listedUntilTold(frames: readonly WireObject[]): Finding {
  const lists = frames.filter(message('system', 'background_tasks_changed'));
  if (lists.length === 0) return unsupported('it sends no list');
  const told = frames.findIndex(message('system', 'task_notification'));
  const dropped = frames.findLastIndex((frame) => lists.includes(frame) && list(frame, 'tasks').length === 0);
  return judge(told !== -1 && told < dropped, labels(frames));
}

function inForeground(command: string): ToolUseBlock {
  return toolUse('Bash', { command, description: 'Waits' });
}

function inBackground(command: string): ToolUseBlock {
  const input = { command, description: 'Waits', run_in_background: true };
  return toolUse('Bash', input);
}
