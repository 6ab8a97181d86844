import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { EMULATED_CLI } from '../support/cox-process.js';

test('a closed session says how its process exited', async () => {
  const session = await openSession({ cli: resolve(EMULATED_CLI) });
  expect(await session.close()).toEqual({ code: 0, signal: null, step: 'eof' });
  expect(await session.close()).toMatchObject({ step: 'eof' });
  await session.reopen();
  expect(await session.close()).toMatchObject({ step: 'eof' });
});

test('a process that had to be killed is reported', async () => {
  const ending = { eofMs: 20, termMs: 20 };
  const session = await openSession({ cli: resolve('test/fixtures/cli/stays.mjs'), ending });
  expect(await session.close()).toEqual({ code: null, signal: 'SIGKILL', step: 'kill' });
});

test('without a process of ours there is no exit to report', async () => {
  const session = await openSession({ transport: emulateCli([]).transport });
  expect(await session.close()).toBeUndefined();
});

test('an ended session says why, unless it was closed', async () => {
  const dies = [onUser(undefined, [die({ code: 7 })])];
  const session = await openSession({ transport: () => emulateCli(dies).transport });
  expect(session.failure).toBeUndefined();
  await session.send('x').outcome;
  expect(session.failure).toMatchObject({ code: 'CLI_ENDED', exitCode: 7 });
  await session.reopen();
  expect(session.failure).toBeUndefined();
  await session.close();
  expect(session.failure).toBeUndefined();
});
