import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { echo, emulatedManager, storeFolder } from '../../../support/manager.js';

test('a message whose transcript cannot be read has an unknown fate, and is not sent again', async () => {
  const home = storeFolder();
  const defaults = { env: { CLAUDE_CONFIG_DIR: home } };
  const id = '11111111-2222-4333-8444-555555555555';
  const stuck = [onUser(undefined, [hang()])];
  const { manager, store } = await emulatedManager({ scenarios: [stuck] }, { defaults });
  const turn = manager.conversation('one', { id }).send('pay once');
  await turn.began;
  await manager.close();
  // A file that exists and cannot be opened, as when too many files are open.
  const folder = join(home, 'projects', '-work');
  mkdirSync(folder, { recursive: true });
  symlinkSync(`${id}.jsonl`, join(folder, `${id}.jsonl`));
  const next = await emulatedManager({ scenarios: [echo] }, { store, defaults });
  const told: string[] = [];
  next.manager.on('turn', ({ messageId, outcome }) => told.push(`${messageId} ${outcome.kind}`));
  await expect.poll(() => told).toEqual([`${turn.userMessageId} unknown`]);
  expect(next.clis()).toBe(0);
});
