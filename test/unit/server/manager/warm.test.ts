import { expect, test } from 'vitest';
import { startSession } from '../../../../src/entry/sdk/open-session.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';

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
