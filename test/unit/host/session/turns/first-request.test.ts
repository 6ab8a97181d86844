import { expect, test } from 'vitest';
import { openSession } from '../../../../../src/entry/sdk/open-session.js';
import { assistantMessage } from '../../../../../src/lab/testing/builders/assistant.js';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { raw } from '../../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { done } from '../../../../../src/lab/testing/emulator/steps/result-steps.js';

function answer(read: number, { model = 'claude', parentToolUseId = null as string | null } = {}) {
  const { message, ...rest } = assistantMessage({ type: 'text', text: 'x' }, { model, parentToolUseId });
  const usage = { ...message.usage, cache_read_input_tokens: read, cache_creation_input_tokens: 5 };
  return raw(JSON.stringify({ ...rest, message: { ...message, usage } }));
}

test('an outcome says what the first model call of its turn has read', async () => {
  const { transport } = emulateCli([
    onUser('one', [
      answer(1, { model: '<synthetic>' }),
      answer(2, { parentToolUseId: 'toolu_1' }),
      answer(300),
      answer(400),
      done(),
    ]),
    onUser('two', [answer(500), done()]),
  ]);
  await using session = await openSession({ transport });
  const first = await session.send('one').outcome;
  const input = { inputTokens: 12, cacheReadInputTokens: 300, cacheCreationInputTokens: 5 };
  expect(first.firstRequest).toEqual(input);
  expect((await session.send('two').outcome).firstRequest).toEqual({ ...input, cacheReadInputTokens: 500 });
});
