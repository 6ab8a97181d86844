import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeThrowawayFolders } from '../../../../../src/lab/testing/real-cli/throwaway-folders.js';

test('creates three folders and removes them with all their contents, even twice', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
  const folders = await makeThrowawayFolders(parent);
  for (const folder of [folders.home, folders.tmp, folders.cwd]) await writeFile(join(folder, 'file'), 'x');
  await folders.remove();
  await folders.remove();
  expect(existsSync(folders.home)).toBe(false);
  expect(await readdir(parent)).toEqual([]);
  await rm(parent, { recursive: true });
});
