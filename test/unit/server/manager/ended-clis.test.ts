import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import type { CliEnd } from '../../../../src/server/conversation/states.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const dies = [onUser(undefined, [die({ code: 7 })])];

/** A manager, and how the CLIs of its conversations ended. */
async function reporting(scenarios: Parameters<typeof emulatedManager>[0]['scenarios'], maxRunning = 8) {
  const ends: (CliEnd & { readonly unsettled: number })[] = [];
  const { manager } = await emulatedManager({ scenarios }, { maxRunning });
  const talk = manager.conversation('one');
  const host = manager.host('one');
  if (host !== undefined)
    host.user = {
      launch: () => ({}),
      attached: () => {},
      changed: () => {},
      ended: (end) => ends.push({ ...end, unsettled: talk.turns.length }),
      append: () => {},
      mayWait: true,
      prompted: () => {},
    };
  return { manager, talk, ends };
}

test('a manager says that it parked a CLI, or closed it', async () => {
  const { manager, talk, ends } = await reporting([echo]);
  await talk.send('x').text();
  await talk.park();
  await expect.poll(() => ends).toEqual([{ why: 'parked', error: undefined, unsettled: 0 }]);
  await talk.send('y').text();
  await manager.close();
  await expect.poll(() => ends.at(1)).toMatchObject({ why: 'closed', error: undefined });
});

test('a manager says why a CLI ended on its own, once its messages are settled', async () => {
  const { talk, ends } = await reporting([dies]);
  const turn = talk.send('x', { resend: false });
  expect((await turn.outcome).kind).toBe('cli-ended');
  const error = expect.objectContaining({ code: 'CLI_ENDED', exitCode: 7 });
  await expect.poll(() => ends).toEqual([{ why: 'lost', error, unsettled: 0 }]);
});

test('a message that gets a slot at once has nobody ahead of it', async () => {
  const { talk } = await reporting([echo], 1);
  const ahead: unknown[] = [];
  talk.on('state', ({ state }) => state === 'queued' && ahead.push(talk.ahead));
  await talk.send('x').text();
  expect(ahead).toEqual([undefined]);
});
