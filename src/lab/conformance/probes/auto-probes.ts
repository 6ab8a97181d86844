import type { WireObject } from '../../../wire/protocol/frames.js';
import { text, toolUse } from '../../testing/model/replies.js';
import { type ProbeGroup, probe } from '../probe.js';
import { hookOf, list, message, part, toolOutcomes } from '../reading.js';
import { fail, judge } from '../verdict.js';

/** The scripted model cannot judge calls, so a CLI denies what it does not allow on its own. */
const CALL = toolUse('Bash', {
  command: 'rm -rf /tmp/coxswain-does-not-exist/at-all',
  description: 'Removes a folder',
});

/** Calls that the CLI's own check denies. */
export const autoMode: ProbeGroup = {
  name: 'denials in auto mode',
  apart: true,
  start: { flags: { permissionMode: 'auto' } },
  initialize: {
    hooks: {
      PermissionDenied: [{ hookCallbackIds: ['denied'], timeout: 60 }],
      PreToolUse: [{ hookCallbackIds: ['before'] }],
    },
  },
  probes: [
    probe(['auto:denial-reported', 'auto:hook-asked', 'auto:hook-waited-for'], async (stage) => {
      stage.answerWith({ hook_callback: answer({}) });
      const from = stage.now;
      stage.cli.model.say([CALL, text('ok')]);
      await stage.user('go');
      const asked = await stage.maybe((frame) => hookOf('PermissionDenied')(frame) || isResult(frame), {
        from,
      });
      const hook = asked !== undefined && !isResult(asked) ? asked : undefined;
      await stage.quiet();
      const isWaiting = !stage.since(from).some(isResult);
      if (hook !== undefined) await stage.reply(hook.request_id, {});
      const { frames, result } = await stage.result(from);
      if (list(result, 'permission_denials').length === 0 && !isRefused(frames)) {
        const none = fail('the call was not denied');
        return { 'auto:denial-reported': none, 'auto:hook-asked': none, 'auto:hook-waited-for': none };
      }
      const event = frames.find(message('system', 'permission_denied'));
      if (event !== undefined) stage.record('message system permission_denied', event);
      return {
        'auto:denial-reported': judge(event !== undefined, 'it is not'),
        'auto:hook-asked': judge(hook !== undefined, 'there is no call'),
        'auto:hook-waited-for': judge(hook !== undefined && isWaiting, 'it goes on'),
      };
    }),
    probe(['auto:hook-allows'], async (stage) => {
      const specific = { hookEventName: 'PreToolUse', permissionDecision: 'allow' };
      stage.answerWith({ hook_callback: answer({ hookSpecificOutput: specific }) });
      const { frames } = await stage.turn([CALL, text('ok')]);
      return { 'auto:hook-allows': judge(toolOutcomes(frames)[0]?.isError === false, 'it is denied') };
    }),
  ],
};

/** Answers hooks before calls; those about denials stay open. */
function answer(before: WireObject) {
  return ({ input }: WireObject) => (part(input).hook_event_name === 'PreToolUse' ? before : undefined);
}

const isResult = message('result');

function isRefused(frames: readonly WireObject[]): boolean {
  return toolOutcomes(frames)[0]?.isError === true;
}
