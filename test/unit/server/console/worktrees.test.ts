import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Folders } from '../../../../src/server/console/commands/folders.js';
import { Worktrees, worktreePlace } from '../../../../src/server/console/files/worktrees.js';

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const all = ['-c', 'protocol.file.allow=always', ...args];
  return execFileSync('git', all, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function makeRepository(folder: string): void {
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'config', 'user.name', 'Ada');
  git(folder, 'config', 'user.email', 'ada@example.org');
  writeFileSync(join(folder, '.gitignore'), 'ignored/\n');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
}

/** A repository, and a server's worktree of it. */
async function begin() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-worktrees-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, 'shop');
  makeRepository(repository);
  const place = await worktreePlace(join(folder, 'state'));
  const worktrees = new Worktrees(place, new Folders([repository], [place]));
  const { name, cwd: path } = await worktrees.make(repository);
  const view = async () => (await worktrees.list([]))[0];
  return { folder, repository, place, worktrees, name, path, view };
}

/** Adds a submodule to what is checked out in a folder; returns the submodule's folder. */
function addSubmodule(folder: string, path: string): string {
  makeRepository(join(folder, 'library'));
  git(path, 'submodule', '--quiet', 'add', join(folder, 'library'), 'parts/library');
  git(path, 'commit', '-qm', 'a library');
  return join(path, 'parts', 'library');
}

test('lists everything that no commit holds, so that a page can confirm it by name', async () => {
  const { folder, worktrees, name, path, view } = await begin();
  addSubmodule(folder, path);
  for (const inner of ['inner', 'ignored']) mkdirSync(join(path, inner));
  git(join(path, 'inner'), 'init', '-q');
  writeFileSync(join(path, 'ignored', 'a.txt'), 'a\n');
  const { ignored = [] } = (await view()) ?? {};
  expect(ignored.toSorted()).toEqual(['ignored/', 'inner/', 'parts/library/']);
  for (const left of ignored) {
    const discardIgnored = ignored.filter((each) => each !== left);
    await expect(worktrees.end(name, { how: 'remove', discardIgnored }, () => [])).rejects.toMatchObject({
      code: 'WORKSPACE_FAILED',
      message: expect.stringContaining(left),
    });
  }
  await worktrees.end(name, { how: 'remove', discardIgnored: ignored }, () => []);
  expect(existsSync(path)).toBe(false);
});

test('does not say that nothing is lost if git cannot list it', async () => {
  const { path, view } = await begin();
  expect((await view())?.ignored).toEqual([]);
  writeFileSync(join(git(path, 'rev-parse', '--absolute-git-dir'), 'index'), 'no index');
  expect(await view()).toMatchObject({ path, ignored: undefined });
});

test.skipIf(process.platform === 'win32')('runs nothing that the settings of a submodule name', async () => {
  const { folder, path, view } = await begin();
  const submodule = addSubmodule(folder, path);
  const [program, ran] = [join(folder, 'program'), join(folder, 'ran')];
  writeFileSync(program, `#!/bin/sh\necho ran >> ${ran}\n`, { mode: 0o755 });
  git(submodule, 'config', 'filter.own.clean', program);
  const attributes = join(git(submodule, 'rev-parse', '--absolute-git-dir'), 'info', 'attributes');
  mkdirSync(dirname(attributes), { recursive: true });
  writeFileSync(attributes, '* filter=own\n');
  writeFileSync(join(submodule, 'a.txt'), 'two\n');
  const shown = await view();
  expect(existsSync(ran)).toBe(false);
  expect(shown).toMatchObject({ uncommitted: 0, ignored: ['parts/library/'] });
});

test('a worktree that is being ended gets no session, and is not ended twice', async () => {
  const { worktrees, name, path } = await begin();
  const second: unknown[] = [];
  const end = () =>
    worktrees.end(name, { how: 'remove' }, () => {
      expect(() => worktrees.refuseEnding(join(path, 'web'))).toThrow('being merged or removed');
      return [];
    });
  const both = await Promise.allSettled([end(), end()]);
  for (const each of both) if (each.status === 'rejected') second.push(each.reason);
  expect(second).toMatchObject([
    { code: 'COMMAND_INVALID', message: expect.stringContaining('being merged or removed') },
  ]);
  expect(existsSync(path)).toBe(false);
  expect(() => worktrees.refuseEnding(path)).not.toThrow();
});

test('a session that is open when the end begins is a reason to refuse, and the worktree stays usable', async () => {
  const { worktrees, name, path } = await begin();
  const session = { id: 'a', opened: { cwd: path }, cli: { isOpen: true } };
  await expect(worktrees.end(name, { how: 'remove' }, () => [session])).rejects.toMatchObject({
    code: 'COMMAND_INVALID',
  });
  expect(() => worktrees.refuseEnding(path)).not.toThrow();
});

test('a folder that is a worktree or a submodule itself gets none: it could not be merged into that folder', async () => {
  const { folder, repository, place } = await begin();
  const submodule = addSubmodule(folder, repository);
  const linked = join(folder, 'linked');
  git(repository, 'worktree', 'add', '--quiet', linked);
  const worktrees = new Worktrees(place, new Folders([folder], [place]));
  for (const each of [submodule, linked, join(linked, 'parts')])
    await expect(worktrees.make(each)).rejects.toMatchObject({
      code: 'WORKSPACE_FAILED',
      message: expect.stringContaining('itself'),
    });
  expect(await worktrees.list([])).toHaveLength(1);
});
