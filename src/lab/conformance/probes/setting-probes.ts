import { join } from 'node:path';
import { type ToolUseBlock, text, toolUse } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { describe, refused, served } from '../reaction.js';
import { list, message, part, requestOf, toolOutcomes } from '../reading.js';
import type { Stage } from '../stage.js';
import { callEcho, callsOf, ECHO } from '../tool-server.js';
import { fail, judge, pass } from '../verdict.js';
import { openPrompt } from './handshake-probes.js';

/** The default mode. */
export const ownMode: ProbeGroup = {
  name: 'the mode at the start',
  start: { flags: { permissionMode: undefined } },
  probes: [
    probeOne('mode:at-start', async (stage) => {
      const { frames } = await stage.turn();
      const { permissionMode } = frames.find(message('system', 'init')) ?? {};
      return judge(permissionMode === 'default', `it is ${permissionMode}`);
    }),
  ],
};

/** Permission modes. */
export const modeProbes: readonly Probe[] = [
  probe(['mode:answered', 'mode:told', 'mode:init-shows-it'], async (stage) => {
    const from = stage.now;
    const reaction = await stage.request('set_permission_mode', { mode: 'acceptEdits' });
    const { frames } = await stage.turn();
    const init = frames.find(message('system', 'init')) ?? {};
    const told = stage.since(from).find(message('system', 'status'));
    if (told !== undefined) stage.record('message system/status', told);
    const { mode } = part(reaction, 'value');
    return {
      'mode:answered': judge(mode === 'acceptEdits', describe(reaction)),
      'mode:told': judge(told?.permissionMode === 'acceptEdits', 'there is no such message'),
      'mode:init-shows-it': judge(init.permissionMode === 'acceptEdits', `it shows ${init.permissionMode}`),
    };
  }),
  probeOne('mode:accept-edits', async (stage) => {
    await stage.request('set_permission_mode', { mode: 'acceptEdits' });
    const { frames } = await stage.turn([writeFile(stage), text('done')]);
    const [outcome] = toolOutcomes(frames);
    if (frames.some(requestOf('can_use_tool'))) return fail('it asked');
    return judge(outcome?.isError === false, 'the file was not written');
  }),
  probeOne('mode:dont-ask', async (stage) => {
    await stage.request('set_permission_mode', { mode: 'dontAsk' });
    const { frames, result } = await stage.turn([callEcho('one'), text('done')]);
    const listed = list(result, 'permission_denials').map((denial) => part(denial).tool_name);
    if (frames.some(requestOf('can_use_tool'))) return fail('it asked');
    return judge(listed.includes(ECHO) && callsOf(frames).length === 0, 'it ran, or is not listed');
  }),
  probeOne('mode:plan', async (stage) => {
    await stage.request('set_permission_mode', { mode: 'plan' });
    const { frames } = await stage.turn([writeFile(stage, 'planned.txt'), text('done')]);
    const [outcome] = toolOutcomes(frames);
    if (!frames.some(requestOf('can_use_tool'))) return fail('it did not ask');
    return judge(outcome?.isError === false, 'the file was not written');
  }),
  probeOne('mode:wrong-field', async (stage) =>
    refused(await stage.request('set_permission_mode', { permission_mode: 'default' })),
  ),
  probeOne('mode:unknown', async (stage) =>
    refused(await stage.request('set_permission_mode', { mode: 'nonsense' })),
  ),
  probeOne('mode:bypass-unasked', async (stage) => {
    const reaction = await stage.request('set_permission_mode', { mode: 'bypassPermissions' });
    if (reaction.kind === 'refused') stage.record('answer set_permission_mode bypass', reaction.envelope);
    await stage.request('set_permission_mode', { mode: 'default' });
    return refused(reaction);
  }),
  probeOne('mode:open-prompt-stays', async (stage) => {
    await stage.request('set_permission_mode', { mode: 'default' });
    const prompt = await openPrompt(stage);
    const from = stage.now;
    await stage.request('set_permission_mode', { mode: 'acceptEdits' });
    const meanwhile = await stage.quiet();
    await stage.reply(prompt.request_id, { behavior: 'allow', updatedInput: { text: 'one' } });
    await stage.result(from);
    await stage.request('set_permission_mode', { mode: 'default' });
    return judge(!meanwhile.some(message('result')), 'the turn went on');
  }),
];

/** A session that may skip permissions. */
export const bypassProbe: Probe = probeOne('mode:bypass', async (stage) => {
  const reaction = await stage.request('set_permission_mode', { mode: 'bypassPermissions' });
  if (reaction.kind !== 'success') return served(reaction);
  const { frames } = await stage.turn([callEcho('one'), text('done')]);
  if (frames.some(requestOf('can_use_tool'))) return fail('it asked');
  return judge(callsOf(frames).length === 1, 'the tool did not run');
});

/** A session whose settings forbid skipping permissions. */
export const forbiddenBypass: ProbeGroup = {
  name: 'forbidden bypass',
  start: { flags: { settings: { permissions: { disableBypassPermissionsMode: 'disable' } } } },
  probes: [
    probeOne('mode:refusal-is-final', async (stage) => {
      const id = await stage.sendRequest('set_permission_mode', { mode: 'bypassPermissions' });
      const reaction = await stage.reactionTo(id);
      await stage.request('mcp_status');
      const count = stage.answersTo(id).length;
      if (reaction.kind !== 'refused') return fail(describe(reaction));
      return judge(count === 1, 'a success follows');
    }),
  ],
};

/** Models and thinking. */
export const modelProbes: readonly Probe[] = [
  probe(
    ['model:any-name', 'model:answer-names-it', 'model:replayed-line', 'model:init-shows-it', 'model:used'],
    async (stage) => {
      await stage.turn();
      const from = stage.now;
      const reaction = await stage.request('set_model', { model: 'claude-made-up-1' });
      const { frames } = await stage.turn();
      const { model } = frames.find(message('system', 'init')) ?? {};
      const replayed = stage.since(from).some((frame) => frame.type === 'user' && frame.isReplay === true);
      const called = stage.cli.model.calls.at(-1)?.model;
      return {
        'model:any-name': served(reaction),
        'model:answer-names-it': judge(
          part(reaction, 'value').model === 'claude-made-up-1',
          describe(reaction),
        ),
        'model:replayed-line': judge(replayed, 'there is none'),
        'model:init-shows-it': judge(model === 'claude-made-up-1', `it shows ${model}`),
        'model:used': judge(called === 'claude-made-up-1', `it called ${called}`),
      };
    },
  ),
  probeOne('model:mid-turn', async (stage) => {
    const from = stage.now;
    const prompt = await openPrompt(stage);
    await stage.request('set_model', { model: 'claude-made-up-2' });
    await stage.reply(prompt.request_id, { behavior: 'allow', updatedInput: { text: 'one' } });
    await stage.result(from);
    const called = stage.cli.model.calls.at(-1)?.model;
    return judge(called === 'claude-made-up-2', `it called ${called}`);
  }),
  probeOne('model:none-means-default', async (stage) => served(await stage.request('set_model', {}))),
  probeOne('thinking:budget', async (stage) => {
    await stage.request('set_model', { model: 'sonnet' });
    await stage.request('set_max_thinking_tokens', { max_thinking_tokens: 4_000 });
    await stage.turn();
    const { budget_tokens: budget } = part(stage.cli.model.calls.at(-1)?.parameters, 'thinking');
    return budget === 4_000 ? pass : fail(`the budget is ${budget}`);
  }),
];

/** The model writes a file in the working folder. */
export function writeFile({ cli }: Stage, name = 'new.txt', content = 'one\n'): ToolUseBlock {
  const input = { file_path: join(cli.cwd, name), content };
  return toolUse('Write', input);
}
