import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { apiFailure } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const text =
  'Failed to refresh OAuth token: another Claude Code process is refreshing it or exited mid-refresh.';
const renewing = [onUser(undefined, [apiFailure({ error: 'server_error', text })], { times: 'any' })];

test('a message that meets a login being renewed is sent once more, to the next CLI', async () => {
  const clock = new ManualClock();
  const { manager, clis } = await emulatedManager({ scenarios: [renewing, echo] }, {}, { clock });
  const talk = manager.conversation('one');
  const turn = talk.send('hello');
  await expect.poll(() => clock.size).toBeGreaterThan(0);
  await expect.poll(() => talk.pid).toBeUndefined();
  expect(clis()).toBe(1);
  await clock.pass(15_000);
  expect(await turn.text()).toBe('echo: hello');
  expect(clis()).toBe(2);
});

test('it fails if that is still so', async () => {
  const clock = new ManualClock();
  const { manager, clis } = await emulatedManager({ scenarios: [renewing] }, {}, { clock });
  const turn = manager.conversation('one').send('hello');
  let isOver = false;
  void turn.outcome.then(() => {
    isOver = true;
  });
  while (!isOver) await clock.pass(1_000);
  expect(await turn.outcome).toMatchObject({ kind: 'auth', reason: 'login_renewal', message: text });
  expect(clis()).toBe(2);
});
