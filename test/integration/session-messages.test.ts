import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';

test('session.messages() returns everything, including messages outside of turns', async () => {
  const cli = emulateCli([onUser([say('x')])]);
  const session = await openSession({ transport: cli.transport });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const { type } of session.messages()) seen.push(type);
  })();
  await session.control('set_model', { model: 'opus' });
  await session.send('go').outcome;
  await session.close();
  await reading;
  expect(seen.filter((type) => type !== 'command_lifecycle')).toEqual([
    'user',
    'system',
    'assistant',
    'result',
  ]);
});
