import { expect } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { Script } from '../../src/lab/testing/model/script.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../src/lab/testing/model/scripted-model.js';
import { type RealCli, type RealCliOptions, realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import { eachRealCli } from './support/each-real-cli.js';
import { allowAll, RawConversation } from './support/raw-conversation.js';

/** Nothing says how soon a CLI makes these calls; a busy one may take more than ten seconds. */
const PATIENTLY = { timeoutMs: 60_000 };

async function withCli(
  script: Script,
  options: Omit<RealCliOptions, 'model'>,
  use: (conversation: RawConversation, model: ScriptedModel, cli: RealCli) => Promise<void>,
): Promise<void> {
  await using model = await scriptModel(script);
  await using cli = await realCli({ ...options, model });
  await use(new RawConversation(cli), model, cli);
  model.assertFinished();
}

eachRealCli(
  'sub-agents that warm up before the first prompt use no step',
  ({ version }) =>
    withCli([{ reply: text('hello back') }], { version }, async (conversation, model) => {
      // The prompt waits for this hook, so the warm-ups reach the model first.
      conversation.answer = (request) => {
        if (request.body.subtype !== 'hook_callback') return allowAll(request);
        return undefined;
      };
      await conversation.request('initialize', {
        hooks: { UserPromptSubmit: [{ hookCallbackIds: ['submit'] }] },
      });
      const from = conversation.frames.length;
      await conversation.say('hello');
      const hook = await conversation.waitFor((frame) => frame.type === 'control_request', from);
      await model.waitForRequest(({ number }) => number === 2, PATIENTLY);
      expect(model.requests.map(({ kind }) => kind)).toEqual(['side', 'side']);
      await conversation.succeed(String(hook.request_id), {});
      const result = await conversation.waitFor((frame) => frame.type === 'result', from);
      expect(result).toMatchObject({ result: 'hello back' });
    }),
  ['2.0.73'],
);

eachRealCli('helper calls about a command use no step', ({ version }) =>
  withCli(
    [toolUse('Bash', { command: 'mkdir made' }), text('done')],
    { version },
    async (conversation, model) => {
      expect((await conversation.turn('make it')).result).toMatchObject({ result: 'done' });
      const side = model.requests.filter(({ kind }) => kind === 'side');
      expect(side.every(({ toolNames }) => toolNames.length === 0)).toBe(true);
      // The old CLIs ask a small model about commands; the new one does not.
      expect(side.length > 0).toBe(version !== '2.1.326');
    },
  ),
);

eachRealCli(
  'a conversation without tools is recognised by the text that the script waits for',
  ({ version }) =>
    withCli(
      [
        { when: 'hello', reply: text('first') },
        { when: 'again', reply: text('second') },
      ],
      { version, tools: [] },
      async (conversation) => {
        expect((await conversation.turn('hello')).result).toMatchObject({ result: 'first' });
        expect((await conversation.turn('again')).result).toMatchObject({ result: 'second' });
      },
    ),
);

eachRealCli('a sub-agent uses its step whenever it arrives', ({ version }) => {
  const name = version === '2.1.326' ? 'Agent' : 'Task';
  const input = { description: 'look', prompt: 'count the files', subagent_type: 'general-purpose' };
  return withCli(
    [
      { when: 'delegate', reply: toolUse(name, input) },
      { when: 'count the files', reply: text('there are three'), anyOrder: true },
      { when: { toolResult: '' }, reply: text('the agent is done') },
      // 2.1.326 runs the agent in the background and then starts a turn by itself.
      { reply: text('noted'), times: 'any' },
    ],
    { version },
    async (conversation, model) => {
      expect((await conversation.turn('delegate')).result).toMatchObject({ is_error: false });
      await model.waitForRequest(({ userText }) => userText === 'count the files', PATIENTLY);
    },
  );
});

eachRealCli('the summary of a compaction is a step like any other', ({ version }) =>
  withCli(
    [
      { when: 'hello', reply: text('first') },
      { reply: text('a summary of it all'), times: 'any' },
    ],
    { version },
    async (conversation, model) => {
      await conversation.turn('hello');
      await conversation.turn('/compact');
      expect(conversation.frames).toContainEqual(
        expect.objectContaining({ type: 'system', subtype: 'compact_boundary' }),
      );
      expect(model.requests.filter(({ kind }) => kind === 'main').length).toBeGreaterThanOrEqual(2);
    },
  ),
);
