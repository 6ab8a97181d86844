import type { WireObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { list, message, part, requestOf, toolOutcomes } from '../reading.js';
import { type Answerer, Refusal, type Stage, type TurnFrames } from '../stage.js';
import { callsOf, callTool, ECHO, PEEK, SECOND, serverConfig, THIRD } from '../tool-server.js';
import { type Finding, fail, judge } from '../verdict.js';

const start = { flags: { mcpServers: serverConfig } };

/** Prompts that are answered with an allow. */
export const allowProbes: readonly Probe[] = [
  probe(['permission:prompt', 'permission:display-name', 'permission:changed-input'], async (stage) => {
    const { frames } = await decide(stage, () => ({
      behavior: 'allow',
      updatedInput: { text: 'changed' },
    }));
    const body = part(frames.find(requestOf('can_use_tool')), 'request');
    stage.record('request can_use_tool', { ...body, input: {} });
    stage.record('message user tool_result', frames.find(message('user')));
    return {
      'permission:prompt': judge(
        body.tool_name === ECHO && part(body, 'input').text === 'one' && typeof body.tool_use_id === 'string',
        `it is about ${body.tool_name}`,
      ),
      'permission:display-name': judge(typeof body.display_name === 'string', 'there is none'),
      'permission:changed-input': ranWith(frames, 'changed'),
    };
  }),
  probeOne('permission:without-input', async (stage) =>
    ranWith((await decide(stage, () => ({ behavior: 'allow' }))).frames, 'one'),
  ),
  probeOne('permission:empty-input', async (stage) =>
    ranWith((await decide(stage, () => ({ behavior: 'allow', updatedInput: {} }))).frames, 'one'),
  ),
  probeOne('permission:wrong-tool-use-id', async (stage) => {
    const allow: Answerer = ({ input }) => ({
      behavior: 'allow',
      updatedInput: input,
      toolUseID: 'nobody',
    });
    return ranWith((await decide(stage, allow)).frames, 'one');
  }),
  probeOne('permission:second-answer', async (stage) => {
    const { frames } = await decide(stage, ({ input }, id) => {
      void stage.reply(id, { behavior: 'allow', updatedInput: input });
      return { behavior: 'deny', message: 'no' };
    });
    return ranWith(frames, 'one');
  }),
  probeOne('permission:bad-update', async (stage) => {
    const updatedPermissions = [{ type: 'nonsense' }];
    const allow: Answerer = ({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions });
    return ranWith((await decide(stage, allow)).frames, 'one');
  }),
];

/** Prompts that are answered with a denial, an error, or nonsense. */
export const denyProbes: readonly Probe[] = [
  probe(['permission:deny', 'permission:denials-listed'], async (stage) => {
    const { frames, result } = await decide(stage, () => ({ behavior: 'deny', message: 'not today' }));
    const [outcome] = toolOutcomes(frames);
    const listed = list(result, 'permission_denials').map((denial) => part(denial).tool_name);
    stage.record('message user tool_result denied', frames.find(message('user')));
    stage.record('message result denied', result);
    return {
      'permission:deny':
        callsOf(frames).length > 0
          ? fail('the tool ran')
          : judge(outcome?.isError === true && outcome.text.includes('not today'), 'the message is lost'),
      'permission:denials-listed': judge(listed.includes(ECHO), 'it is not listed'),
    };
  }),
  probeOne('permission:deny-without-message', async (stage) =>
    refusedWith(await decide(stage, () => ({ behavior: 'deny' }))),
  ),
  probeOne('permission:unknown-behaviour', async (stage) =>
    refusedWith(await decide(stage, () => ({ behavior: 'maybe' }))),
  ),
  probeOne('permission:null-answer', async (stage) => refusedWith(await decide(stage, () => null))),
  probeOne('permission:error-answer', async (stage) =>
    refusedWith(await decide(stage, () => new Refusal('out of order')), 'out of order'),
  ),
  probe(['permission:deny-interrupt', 'permission:deny-interrupt-message'], async (stage) => {
    const answer = { behavior: 'deny', message: 'stop it', interrupt: true };
    const { frames, result } = await decide(stage, () => answer);
    const [outcome] = toolOutcomes(frames);
    return {
      'permission:deny-interrupt': judge(
        result.subtype === 'error_during_execution' && callsOf(frames).length === 0,
        `the result is ${result.subtype}`,
      ),
      'permission:deny-interrupt-message': judge(
        outcome?.text.includes('stop it') === true,
        'another text takes its place',
      ),
    };
  }),
];

/** Answers that change the rules. */
export const rules: ProbeGroup = {
  name: 'permission rules',
  start,
  probes: [
    probeOne('permission:add-rule', async (stage) => {
      const first = await decide(stage, allowWith(addRule('allow', 'session')));
      const second = await decide(stage, allowWith(addRule('allow', 'session')));
      if (!first.frames.some(requestOf('can_use_tool'))) return fail('the first call did not ask');
      return second.frames.some(requestOf('can_use_tool'))
        ? fail('it asks again')
        : ranWith(second.frames, 'one');
    }),
    probeOne('permission:deny-rule', async (stage) => {
      await decide(stage, allowWith(addRule('deny', 'session', SECOND)), SECOND);
      const second = await decide(stage, allowWith(addRule('deny', 'session', SECOND)), SECOND);
      return second.frames.some(requestOf('can_use_tool')) ? fail('it asks again') : refusedWith(second);
    }),
    probeOne('permission:local-settings', async (stage) => {
      await decide(stage, allowWith(addRule('allow', 'localSettings', THIRD)), THIRD);
      const written = await stage.file('.claude/settings.local.json', (content) => content.includes(THIRD));
      return judge(written !== undefined, 'it is not written');
    }),
    probeOne('permission:set-mode', async (stage) => {
      await decide(stage, allowWith({ type: 'setMode', mode: 'acceptEdits', destination: 'session' }), PEEK);
      const { frames } = await stage.turn();
      const { permissionMode } = frames.find(message('system', 'init')) ?? {};
      return judge(permissionMode === 'acceptEdits', `the mode is ${permissionMode}`);
    }),
  ],
};

/** A CLI that was not told to ask the host. */
export const nobodyToAsk: ProbeGroup = {
  name: 'nobody to ask',
  start: { flags: { mcpServers: serverConfig, permissionPromptTool: undefined } },
  probes: [
    probeOne('permission:nobody-to-ask', async (stage) => {
      const turn = await decide(stage, ({ input }) => ({ behavior: 'allow', updatedInput: input }));
      return turn.frames.some(requestOf('can_use_tool')) ? fail('it asked') : refusedWith(turn);
    }),
  ],
};

/** Concurrent calls. */
export const sideBySide: Probe = probeOne('permission:at-once', async (stage) => {
  stage.answerWith({ can_use_tool: () => undefined });
  stage.cli.model.say([[callTool(PEEK, 'one'), callTool(PEEK, 'two')], text('done')]);
  const from = stage.now;
  await stage.user('go');
  await stage.next(requestOf('can_use_tool'), { from });
  await stage.quiet();
  const open = stage.since(from).filter(requestOf('can_use_tool')).length;
  await stage.interrupt(from);
  return judge(open === 2, 'the second prompt waits for the first');
});

/** Makes the model call a tool, answers the prompt, and returns the turn. */
function decide(stage: Stage, answer: Answerer, tool = ECHO): Promise<TurnFrames> {
  stage.answerWith({ can_use_tool: answer });
  return stage.turn([callTool(tool), text('done')]);
}

function allowWith(update: WireObject): Answerer {
  return ({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions: [update] });
}

function addRule(behavior: 'allow' | 'deny', destination: string, toolName = ECHO): WireObject {
  return { type: 'addRules', rules: [{ toolName }], behavior, destination };
}

function ranWith(frames: readonly WireObject[], wanted: string): Finding {
  const [call] = callsOf(frames);
  if (call === undefined) return fail(`the tool did not run: ${toolOutcomes(frames)[0]?.text.slice(0, 80)}`);
  return judge(call.text === wanted, `the tool ran with ${JSON.stringify(call)}`);
}

/** The call did not run, and the turn continued to its end. */
function refusedWith({ frames, result }: TurnFrames, words = ''): Finding {
  const [outcome] = toolOutcomes(frames);
  if (callsOf(frames).length > 0) return fail('the tool ran');
  if (result.subtype !== 'success') return fail(`the result is ${result.subtype}`);
  return judge(
    outcome?.isError === true && outcome.text.includes(words),
    'the result of the call is not an error',
  );
}
