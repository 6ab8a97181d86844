import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryOf, worktreesOf } from '../../../../src/host/transcripts/worktrees.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'worktrees-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['absolute, with slashes that Windows does not need', () => `${root}/a/../b/.git\r\n`],
  ['relative, as git writes them with worktree.useRelativePaths', () => '../../../../b/.git\n'],
])('the paths of worktrees may be %s', async (_, gitdir) => {
  const main = join(root, 'main');
  const linked = join(main, '.git', 'worktrees', 'b');
  mkdirSync(linked, { recursive: true });
  writeFileSync(join(linked, 'gitdir'), gitdir());
  expect(await worktreesOf(main)).toEqual([main, join(root, 'b')]);
});

test('a folder is a worktree only if the repository knows it as one', async () => {
  const [main, tree, other] = [join(root, 'known'), join(root, 'tree'), join(root, 'other')];
  const linked = join(main, '.git', 'worktrees', 'tree');
  for (const folder of [linked, tree, other]) mkdirSync(folder, { recursive: true });
  for (const folder of [tree, other]) writeFileSync(join(folder, '.git'), `gitdir: ${linked}\n`);
  writeFileSync(join(linked, 'gitdir'), join(tree, '.git'));
  expect(await repositoryOf(tree)).toBe(join(main, '.git'));
  expect(await repositoryOf(other)).toBeUndefined();
  expect(await repositoryOf(main)).toBeUndefined();
  writeFileSync(join(tree, '.git'), `gitdir: ${root}\n`);
  expect(await repositoryOf(tree)).toBeUndefined();
});
