import { expect, test } from 'vitest';
import { startSession } from '../../../../src/entry/sdk/open-session.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

test.each([
  ['optionsFor', { optionsFor: () => ({}) }],
  ['defer', { defer: () => true }],
])('CLIs are not started in advance for conversations with %s', async (name, options) => {
  const opened = openManager({ store: storeFolder(), warm: 1, ...options });
  await expect(opened).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    option: 'warm',
    message: expect.stringContaining(name),
  });
});

test('a CLI that cannot be started in advance is reported, and conversations start their own', async () => {
  let starts = 0;
  const start = (options: Parameters<typeof startSession>[0]) => {
    starts += 1;
    return starts === 1 ? startSession({ cli: '/nowhere/claude' }) : startSession(options);
  };
  const { manager } = await emulatedManager({ scenarios: [echo] }, { warm: 1 }, { startSession: start });
  const told = deferred<string>();
  manager.on('diagnostic', ({ diagnostic }) => told.resolve(diagnostic.code));
  expect(await told.promise).toBe('WARM_CLI_FAILED');
  expect(await manager.conversation('one').send('x').text()).toBe('echo: x');
});

test('a claimed one is replaced as soon as there is a slot for it', async () => {
  const clock = new ManualClock();
  const options = { warm: 1, maxRunning: 1 };
  const { manager, clis } = await emulatedManager({ scenarios: [echo] }, options, { clock });
  const talk = manager.conversation('one');
  expect(await talk.send('x').text()).toBe('echo: x');
  clock.advance(1_000);
  expect(clis()).toBe(1);
  await talk.park();
  clock.advance(1_000);
  await expect.poll(clis).toBe(2);
  expect(await manager.conversation('two').send('y').text()).toBe('echo: y');
  expect([clis(), manager.counters.starts]).toEqual([2, 2]);
});
