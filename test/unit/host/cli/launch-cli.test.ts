import { expect, test } from 'vitest';
import { launchCli } from '../../../../src/host/cli/launch-cli.js';
import type { Spawner } from '../../../../src/host/cli/spawner.js';

test.each([
  ['', async () => {}],
  [', even if that fails', () => Promise.reject(new Error('The connection is gone.'))],
  [
    ', even if that throws',
    () => {
      throw new Error('The connection is gone.');
    },
  ],
])('ends what a spawner prepared if its command cannot be started%s', async (_case, outcome) => {
  let ends = 0;
  const end = () => {
    ends += 1;
    return outcome();
  };
  const spawner: Spawner = {
    name: 'nowhere',
    hasOwnPrograms: true,
    hasOwnFolders: true,
    prepare: async () => ({ file: '/nowhere/program', args: [], env: {}, end }),
  };
  await expect(launchCli({ cli: 'claude', spawner })).rejects.toThrow('/nowhere/program');
  expect(ends).toBe(1);
});
