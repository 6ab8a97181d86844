import { expect, test } from 'vitest';
import { Session } from '../../../../../src/host/session/session.js';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';

test('turns that nobody iterates keep no messages, and still have their outcome', async () => {
  const { transport } = emulateCli([onUser(undefined, [say('one'), say('two')])]);
  await using session = new Session({ transport }, { readsTurns: false });
  let heard = 0;
  session.on('message', () => {
    heard += 1;
  });
  const turn = session.send('x');
  expect(await turn.outcome).toMatchObject({ kind: 'success' });
  expect([turn.dropped > 0, heard > 0]).toEqual([true, true]);
  const read = async () => {
    for await (const _message of turn);
  };
  await expect(read()).rejects.toMatchObject({ code: 'READER_TAKEN' });
});
