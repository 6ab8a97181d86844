import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Folders } from '../../../../src/server/console/commands/folders.js';
import { newFileHunks, patchOf, readPatch } from '../../../../src/server/console/files/hunks.js';
import { commitStaged, gitHunks, gitView, stage } from '../../../../src/server/console/files/staging.js';

function gitIn(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with one commit, below a root. */
function begin() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-staging-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'shop');
  mkdirSync(join(folder, 'web'), { recursive: true });
  const git = (...args: string[]) => gitIn(folder, ...args);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  write('a.txt', numbered(60));
  write('gone.txt', 'gone\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const folders = new Folders([root]);
  return {
    root,
    folder,
    folders,
    git,
    write,
    view: (of = folder) => gitView(of, folders),
    hunks: async (path: string, staged = false) =>
      (await gitHunks(folder, { path, staged })).hunks?.map(({ id }) => id) ?? [],
    stage: (path: string, hunks?: readonly string[]) => stage(folder, folders, { path, hunks }),
    unstage: (path: string, hunks?: readonly string[]) => stage(folder, folders, { path, hunks, undo: true }),
    commit: async (message: string, of = folder) =>
      commitStaged(of, folders, { message, index: (await gitView(of, folders)).index }),
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');
const edited = numbered(60)
  .replace('line 3\n', 'line three\nand more\n')
  .replace('line 30\n', '')
  .replace('line 55\n', 'line fifty-five\n');

test('chosen hunks are staged, unstaged and committed; the file and other hunks stay as they are', async () => {
  const { git, write, view, hunks, stage, unstage, commit } = begin();
  write('a.txt', edited);
  const [first = '', second = '', third = ''] = await hunks('a.txt');
  await stage('a.txt', [third, first]);
  expect(git('diff', '--cached', '--numstat')).toBe('3\t2\ta.txt\n');
  expect((await view()).files).toEqual([
    { path: 'a.txt', how: 'changed', added: 3, removed: 2, staged: true },
    { path: 'a.txt', how: 'changed', added: 0, removed: 1, staged: false },
  ]);
  const [, last = ''] = await hunks('a.txt', true);
  await unstage('a.txt', [last]);
  expect(git('show', ':a.txt')).toBe(numbered(60).replace('line 3\n', 'line three\nand more\n'));
  const made = await commit('Spell it out\n\n# not a comment');
  expect(git('log', '-1', '--format=%H %B').trim()).toBe(`${made} Spell it out\n\n# not a comment`);
  expect(git('diff', '--numstat')).toBe('1\t2\ta.txt\n');
  // What it looked like before is no hunk of it any more.
  await expect(stage('a.txt', [second])).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('whatever is changed and chosen, the rest is as before', async () => {
  const { git, write, hunks, stage, unstage } = begin();
  const line = fc.constantFrom('a', 'b', '', 'c');
  const text = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) => lines.join('\n'));
  const property = fc.asyncProperty(text, text, fc.nat(), async (before, after, seed) => {
    git('reset', '-q', '--hard');
    write('a.txt', before);
    git('add', 'a.txt');
    git('commit', '-q', '--allow-empty', '-m', 'before');
    write('a.txt', after);
    const all = await hunks('a.txt');
    const chosen = all.filter((_, index) => (seed >> (index % 30)) % 2 === 1);
    if (chosen.length === 0) return;
    await stage('a.txt', chosen);
    expect(await hunks('a.txt', true)).toHaveLength(chosen.length);
    expect(await hunks('a.txt')).toHaveLength(all.length - chosen.length);
    if (chosen.length === all.length) expect(git('show', ':a.txt')).toBe(after);
    await unstage('a.txt', await hunks('a.txt', true));
    expect(git('show', ':a.txt')).toBe(before);
  });
  await fc.assert(property, { numRuns: 15 });
});

test('new, removed and binary files are staged as a whole, also before the first commit', async () => {
  const { git, write, folder, view, hunks, stage, unstage } = begin();
  git('update-ref', '-d', 'HEAD');
  git('rm', '-rq', '--cached', '.');
  write('image.png', Buffer.from([0, 1, 2]));
  rmSync(join(folder, 'gone.txt'));
  expect(await hunks('image.png')).toEqual([]);
  await stage('image.png');
  await stage('a.txt', await hunks('a.txt'));
  expect((await view()).files).toEqual([
    { path: 'a.txt', how: 'added', added: 60, removed: 0, staged: true },
    { path: 'image.png', how: 'added', staged: true },
  ]);
  await unstage('image.png');
  await unstage('a.txt', await hunks('a.txt', true));
  expect(git('ls-files')).toBe('');
  await stage('a.txt');
  git('commit', '-qm', 'again');
  rmSync(join(folder, 'a.txt'));
  await stage('a.txt', await hunks('a.txt'));
  expect((await view()).files.filter(({ staged }) => staged)).toEqual([
    { path: 'a.txt', how: 'removed', added: 0, removed: 60, staged: true },
  ]);
});

test('line ends, names and the end of a file without a newline survive', async () => {
  const { git, write, hunks, stage } = begin();
  const name = 'wéb "1"\tx.txt';
  write(name, 'one\r\ntwo\r\n');
  git('add', '.');
  git('commit', '-qm', 'second');
  write(name, 'one\r\n2\r\nno newline');
  await stage(name, await hunks(name));
  expect(git('show', `:${name}`)).toBe('one\r\n2\r\nno newline');
  write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
  git('add', 'latin.txt');
  git('commit', '-qm', 'third');
  write('latin.txt', Buffer.from('caf\xe9s\n', 'latin1'));
  // It cannot be shown, so it cannot be staged in parts.
  expect(await hunks('latin.txt')).toEqual([]);
});

test('in a folder of a repository, only that folder is listed and committed', async () => {
  const { folder, folders, git, write, view, commit } = begin();
  write('web/b.txt', 'b\n');
  write('a.txt', edited);
  const web = join(folder, 'web');
  expect((await view(web)).files.map(({ path }) => path)).toEqual(['b.txt']);
  await stage(web, folders, { path: 'b.txt' });
  git('add', 'a.txt');
  await expect(commit('both', web)).rejects.toThrow(/Files outside of .*web are staged too/);
  git('reset', '-q', 'a.txt');
  await commit('only b', web);
  expect(git('show', '--format=', '--name-only', 'HEAD')).toBe('web/b.txt\n');
  await expect(stage(web, folders, { path: '../a.txt' })).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
});

test('what was staged after you looked is not committed', async () => {
  const { folder, folders, git, write, view, stage, commit } = begin();
  write('a.txt', edited);
  await stage('a.txt');
  const { index } = await view();
  write('gone.txt', 'changed\n');
  git('add', '.');
  const late = commitStaged(folder, folders, { message: 'one', index });
  await expect(late).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  git('reset', '-q');
  await expect(commit('nothing')).rejects.toThrow(/Nothing is staged/);
});

describe('nothing that a repository names runs', () => {
  const refuses = async (text: RegExp, prepare: (at: ReturnType<typeof begin>) => void) => {
    const at = begin();
    at.write('a.txt', edited);
    prepare(at);
    expect((await at.view()).refused).toMatch(text);
    await expect(at.stage('a.txt')).rejects.toThrow(text);
    await expect(at.commit('x')).rejects.toThrow(text);
  };

  test('its hooks do not', async () => {
    const { folder, git, write, stage, commit } = begin();
    for (const name of [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'post-index-change',
      'prepare-commit-msg',
    ]) {
      const hook = join(folder, '.git', 'hooks', name);
      mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
      writeFileSync(hook, `#!/bin/sh\ntouch "${folder}/ran-${name}"\nexit 1\n`);
      chmodSync(hook, 0o755);
    }
    write('a.txt', edited);
    await stage('a.txt');
    await commit('quietly');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('filters and hooks in its settings, signatures, and what is under way refuse', async () => {
    await refuses(/define filters/, ({ git }) => void git('config', 'filter.x.clean', 'touch ran'));
    await refuses(/define hooks/, ({ git }) => void git('config', 'hook.x.command', 'touch ran'));
    await refuses(/have to be signed/, ({ git }) => void git('config', 'commit.gpgSign', 'true'));
    await refuses(/merge is under way/, ({ git, write }) =>
      write('.git/MERGE_HEAD', git('rev-parse', 'HEAD')),
    );
    await refuses(
      /another folder for its files/,
      ({ git, root }) => void git('config', 'core.worktree', root),
    );
  });

  test('a repository elsewhere is not shown or written, however a folder points to it', async () => {
    const { folder, view, stage, write } = begin();
    const other = begin();
    rmSync(join(folder, '.git'), { recursive: true });
    write('.git', `gitdir: ${join(other.folder, '.git')}\n`);
    expect(await view()).toEqual({ inRepository: false, files: [], index: '', cut: false });
    await expect(stage('a.txt')).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
    rmSync(join(folder, '.git'));
    symlinkSync(join(other.folder, '.git'), join(folder, '.git'));
    expect(await view()).toMatchObject({ inRepository: false });
  });

  test('a repository inside is not staged', async () => {
    const { folder, view } = begin();
    mkdirSync(join(folder, 'inner'));
    gitIn(join(folder, 'inner'), 'init', '-q');
    expect((await view()).files).toEqual([]);
  });
});

test('a patch of some hunks has the positions that they have without the others', () => {
  const diff = `--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ f\n a\n+b\n c\n@@ -10,2 +11,1 @@\n d\n-e\n@@ -20 +20 @@\n-f\n+g\n`;
  const patch = readPatch(diff);
  const ids = patch?.hunks.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(3);
  const heads = (chosen: readonly (string | undefined)[], reverse: boolean) =>
    patch === undefined
      ? []
      : [...patchOf(patch, new Set(chosen as string[]), reverse).matchAll(/^@@.*$/gm)].map(([head]) => head);
  expect(heads([ids[1], ids[2]], false)).toEqual(['@@ -10,2 +10,1 @@', '@@ -20,1 +19,1 @@']);
  expect(heads([ids[1], ids[2]], true)).toEqual(['@@ -11,2 +11,1 @@', '@@ -21,1 +20,1 @@']);
  expect(readPatch('diff --git a/x b/x\nBinary files a/x and b/x differ\n')).toBeUndefined();
  expect(newFileHunks('a\nb')).toMatchObject([{ lines: ['+a', '+b', '\\ No newline at end of file'] }]);
});
