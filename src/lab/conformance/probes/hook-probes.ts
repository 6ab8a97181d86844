import type { WireObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { bodyOf, cancelOf, hookOf, part, plainText, requestOf, toolOutcomes } from '../reading.js';
import { type Answerer, Refusal, type Stage, type TurnFrames } from '../stage.js';
import { callEcho, callsOf, callTool, ECHO, PEEK, SECOND, serverConfig, THIRD } from '../tool-server.js';
import { type Finding, fail, judge, pass } from '../verdict.js';
import { withdrawnHook } from './interrupt-probes.js';

/** Callbacks before a tool call, each named after its matcher. */
const matchers = [
  { matcher: ECHO, hookCallbackIds: ['name'] },
  { matcher: 'Bash', hookCallbackIds: ['otherName'] },
  { matcher: `Bash|${ECHO}`, hookCallbackIds: ['alternatives'] },
  { matcher: '^mcp__probe__e.*', hookCallbackIds: ['pattern'] },
  { matcher: '*', hookCallbackIds: ['star'] },
  { hookCallbackIds: ['absent'] },
  { matcher: SECOND, hookCallbackIds: ['failing'], onFailure: 'block' },
  { matcher: THIRD, hookCallbackIds: ['slow'], timeout: 1 },
];

const matching: readonly Probe[] = [
  probe(
    [
      'hook:callback',
      'hook:base-input',
      'hook:matcher-name',
      'hook:matcher-alternatives',
      'hook:matcher-pattern',
      'hook:matcher-any',
      'hook:all-at-once',
    ],
    async (stage) => {
      const open: string[] = [];
      stage.answerWith({
        hook_callback: (body, id) => (hookInput(body) === 'PreToolUse' ? void open.push(id) : {}),
      });
      const from = stage.now;
      stage.cli.model.say([callEcho('one'), text('done')]);
      await stage.user('go');
      await stage.next(hookOf('PreToolUse'), { from });
      await stage.quiet();
      const asked = stage
        .since(from)
        .flatMap((frame) => (hookOf('PreToolUse')(frame) ? [bodyOf(frame)] : []));
      for (const id of open) await stage.reply(id, {});
      await stage.result(from);
      const fired = new Set(asked.map((body) => body?.callback_id));
      const [first] = asked;
      const input = part(first, 'input');
      stage.record('request hook_callback PreToolUse', first);
      return {
        'hook:callback': judge(
          typeof first?.tool_use_id === 'string' && input.tool_name === ECHO,
          'the tool or its id is missing',
        ),
        'hook:base-input': judge(
          ['session_id', 'transcript_path', 'cwd', 'hook_event_name'].every((key) => key in input),
          Object.keys(input).join(', '),
        ),
        'hook:matcher-name': judge(fired.has('name') && !fired.has('otherName'), [...fired].join(', ')),
        'hook:matcher-alternatives': judge(fired.has('alternatives'), [...fired].join(', ')),
        'hook:matcher-pattern': judge(fired.has('pattern'), [...fired].join(', ')),
        'hook:matcher-any': judge(fired.has('star') && fired.has('absent'), [...fired].join(', ')),
        'hook:all-at-once': judge(asked.length > 1, 'only one was asked before the first answer'),
      };
    },
  ),
];

/** The decisions that PreToolUse hooks can make. */
const deciding: readonly Probe[] = [
  probeOne('hook:block', async (stage) =>
    stopped(await hooked(stage, () => ({ decision: 'block', reason: 'not here' })), 'not here'),
  ),
  probeOne('hook:deny', async (stage) =>
    stopped(await hooked(stage, () => decision('deny', { permissionDecisionReason: 'never' })), 'never'),
  ),
  probeOne('hook:deny-wins', async (stage) =>
    stopped(
      await hooked(stage, ({ callback_id: id }) =>
        decision(id === 'name' ? 'allow' : 'deny', { permissionDecisionReason: 'never' }),
      ),
      'never',
    ),
  ),
  probe(['hook:allow', 'hook:allow-changed-input'], async (stage) => {
    const { frames } = await hooked(stage, () => decision('allow', { updatedInput: { text: 'changed' } }));
    const asked = frames.some(requestOf('can_use_tool'));
    return {
      'hook:allow': asked ? fail('it asked') : judge(callsOf(frames).length === 1, 'it did not run'),
      'hook:allow-changed-input': ranWith(frames, 'changed'),
    };
  }),
  probeOne('hook:changed-input-alone', async (stage) => {
    const updatedInput = { text: 'changed' };
    const { frames } = await hooked(stage, () => specific({ updatedInput }));
    return ranWith(frames, 'changed');
  }),
  probeOne('hook:wrong-event', async (stage) => {
    const hookSpecificOutput = { hookEventName: 'PostToolUse', additionalContext: 'x' };
    const { frames } = await hooked(stage, () => ({ hookSpecificOutput }));
    return judge(callsOf(frames).length === 0, 'the tool ran');
  }),
  probeOne('hook:error-answer', async (stage) =>
    ranWith((await hooked(stage, () => new Refusal('out of order'))).frames, 'one'),
  ),
  probeOne('hook:odd-answer', async (stage) =>
    ranWith((await hooked(stage, () => 'nonsense')).frames, 'one'),
  ),
  probeOne('hook:stop', async (stage) => {
    const { frames, result } = await hooked(stage, () => ({ continue: false, stopReason: 'enough' }));
    if (callsOf(frames).length === 0) return fail('the tool did not run');
    return judge(result.result !== 'done' && result.subtype === 'success', 'the turn went on');
  }),
  probeOne('hook:ask', async (stage) => {
    const rule = { type: 'addRules', rules: [{ toolName: PEEK }], behavior: 'allow', destination: 'session' };
    stage.answerWith({
      can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions: [rule] }),
    });
    await stage.turn([callTool(PEEK), text('done')]);
    const asking = decision('ask', { permissionDecisionReason: 'why' });
    const { frames } = await hooked(stage, () => asking, PEEK);
    return judge(frames.some(requestOf('can_use_tool')), 'it did not ask');
  }),
];

/** Hooks that fail or take too long. */
const failing: readonly Probe[] = [
  probeOne('hook:on-failure-block', async (stage) => {
    const fails: Answerer = ({ callback_id: id }) => (id === 'failing' ? new Refusal('out of order') : {});
    const { frames } = await hooked(stage, fails, SECOND);
    return judge(callsOf(frames).length === 0, 'the tool ran');
  }),
  probe(['hook:timeout-withdrawn', 'hook:timeout-blocks'], async (stage) => {
    const late: Answerer = ({ callback_id: id }) => (id === 'slow' ? undefined : {});
    const { frames } = await hooked(stage, late, THIRD);
    const slow = frames.find(requestOf('hook_callback', ({ callback_id: id }) => id === 'slow'));
    const cancel = frames.find(cancelOf(slow?.request_id));
    stage.record('control_cancel_request', cancel);
    return {
      'hook:timeout-withdrawn': judge(cancel !== undefined, 'it is not withdrawn'),
      'hook:timeout-blocks': judge(callsOf(frames).length === 0, 'the tool ran'),
    };
  }),
];

/** Hooks around a prompt and the end of a turn. */
const aroundTurns: readonly Probe[] = [
  probe(['hook:prompt-block', 'hook:prompt-block-reason'], async (stage) => {
    const block = { decision: 'block', reason: 'not this one' };
    stage.answerWith({ hook_callback: ({ callback_id: id }) => (id === 'prompt' ? block : {}) });
    const before = stage.cli.model.calls.length;
    const { result, frames } = await stage.turn([text('hi')]);
    const called =
      stage.cli.model.calls.length !== before || frames.some(({ type }) => type === 'stream_event');
    return {
      'hook:prompt-block': judge(
        result.subtype === 'success' && result.result !== 'hi' && !called,
        `the result is ${result.subtype}`,
      ),
      'hook:prompt-block-reason': judge(
        String(result.result).includes('not this one'),
        'the result is empty',
      ),
    };
  }),
  probeOne('hook:stop-block', async (stage) => {
    const active: unknown[] = [];
    stage.answerWith({
      hook_callback: ({ callback_id: id, input }) => {
        if (id !== 'stop') return {};
        active.push(part(input).stop_hook_active);
        return active.length === 1 ? { decision: 'block', reason: 'go on' } : {};
      },
    });
    await stage.turn([text('one'), text('two')]);
    return judge(
      active.length === 2 && active[0] === false && active[1] === true,
      `stop_hook_active was ${active.join(', ')}`,
    );
  }),
];

/** What hooks can tell the model. */
const telling: readonly Probe[] = [
  probe(['hook:context-before', 'hook:context-after'], async (stage) => {
    stage.answerWith({
      hook_callback: ({ input }) => {
        const { hook_event_name: hookEventName } = part(input);
        return { hookSpecificOutput: { hookEventName, additionalContext: `mark of ${hookEventName}` } };
      },
    });
    await stage.turn([callEcho('one'), text('done')]);
    const prompts = JSON.stringify(stage.cli.model.calls.at(-1)?.messages ?? []);
    return {
      'hook:context-before': judge(prompts.includes('mark of PreToolUse'), 'it does not'),
      'hook:context-after': judge(prompts.includes('mark of PostToolUse'), 'it does not'),
    };
  }),
];

/** All hooks in one conversation. */
export const hooks: ProbeGroup = {
  name: 'hooks',
  start: { flags: { mcpServers: serverConfig } },
  initialize: {
    hooks: {
      PreToolUse: matchers,
      PostToolUse: [{ hookCallbackIds: ['after'] }],
      UserPromptSubmit: [{ hookCallbackIds: ['prompt'] }],
      Stop: [{ hookCallbackIds: ['stop'] }],
    },
  },
  probes: [...matching, ...deciding, ...failing, ...aroundTurns, ...telling, withdrawnHook],
};

/** Makes the model call a tool with PreToolUse hooks that answer like this. */
function hooked(stage: Stage, answer: Answerer, tool = ECHO): Promise<TurnFrames> {
  stage.answerWith({
    hook_callback: (body, id) => (hookInput(body) === 'PreToolUse' ? answer(body, id) : {}),
  });
  return stage.turn([callTool(tool), text('done')]);
}

function hookInput(body: WireObject): unknown {
  return part(body, 'input').hook_event_name;
}

function decision(permissionDecision: string, more: WireObject): WireObject {
  return specific({ permissionDecision, ...more });
}

function specific(output: WireObject): WireObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
}

/** The call neither ran nor asked, and the reason became its result. */
function stopped({ frames }: TurnFrames, reason: string): Finding {
  if (callsOf(frames).length > 0) return fail('the tool ran');
  if (frames.some(requestOf('can_use_tool'))) return fail('it asked');
  const [outcome] = toolOutcomes(frames);
  return judge(outcome?.isError === true && outcome.text.includes(reason), plainText(outcome?.text));
}

function ranWith(frames: readonly WireObject[], wanted: string): Finding {
  const [call] = callsOf(frames);
  if (call === undefined) return fail('the tool did not run');
  return call.text === wanted ? pass : fail(`the tool ran with ${JSON.stringify(call)}`);
}
