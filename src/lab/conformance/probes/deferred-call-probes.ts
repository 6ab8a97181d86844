import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe } from '../probe.js';
import { hookOf, message, part, requestOf } from '../reading.js';
import type { Stage } from '../stage.js';
import { type Finding, fail, judge, notReachable } from '../verdict.js';
import { writeFile } from './setting-probes.js';

const hooks = { PreToolUse: [{ hookCallbackIds: ['before'] }] };

/** A single call that a hook defers, and the CLI that resumes the conversation. */
export const deferredCall: ProbeGroup = {
  name: 'a deferred call',
  shared: true,
  initialize: { hooks },
  probes: [
    probe(['hook:defer', 'resume:deferred-call'], async (stage) => {
      await stage.turn([writeFile(stage, 'first.txt'), text('done')]);
      const noFiles = notReachable('no files are written');
      if ((await stage.cli.readFile('first.txt')) === undefined)
        return { 'hook:defer': noFiles, 'resume:deferred-call': noFiles };
      stage.answerWith({ hook_callback: () => decision('defer') });
      const { result, frames } = await stage.turn([writeFile(stage, 'later.txt'), text('done')]);
      const call = result.deferred_tool_use;
      const isLater = isObject(call) && (await stage.cli.readFile('later.txt')) === undefined;
      stage.cli.endInput();
      await stage.exit();
      const id = String(frames.find(message('system', 'init'))?.session_id);
      return {
        'hook:defer': judge(isLater, 'the call is made, or the result does not have it'),
        'resume:deferred-call': isLater ? await madeLater(stage, id, call.id) : fail('no call was deferred'),
      };
    }),
  ],
};

/** Whether the next CLI asks about the call again, makes it once it is allowed, and continues the turn, all on its own. */
async function madeLater(stage: Stage, session: string, call: unknown): Promise<Finding> {
  const other = await stage.open({ flags: { resume: session } });
  other.answerWith({
    hook_callback: () => decision('allow'),
    can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input }),
  });
  other.cli.model.say([text('went on')]);
  await other.request('initialize', { hooks }, stage.subject.patience.startMs);
  const result = await other.maybe(message('result'));
  const isSame = (frame: WireObject) => hookOf('PreToolUse')(frame) && idIn(frame) === call;
  const asks = other.frames.some((frame) => isSame(frame) || requestOf('can_use_tool')(frame));
  const prompts = JSON.stringify(other.cli.model.calls.at(-1)?.messages ?? []);
  const isMade = (await other.cli.readFile('later.txt')) !== undefined;
  if (!asks) return fail('it does not ask again');
  return judge(isMade && prompts.includes(String(call)) && result?.result === 'went on', 'it is not made');
}

function idIn(frame: WireObject): unknown {
  return part(frame, 'request').tool_use_id;
}

function decision(permissionDecision: string): WireObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } };
}
