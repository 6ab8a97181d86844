import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  needsSignature,
  programsNeeded,
  withoutFilters,
} from '../../../../src/server/manager/workspaces/repository-settings.js';
import { addWorktree } from '../../../../src/server/manager/workspaces/worktree.js';
import { endWorktree } from '../../../../src/server/manager/workspaces/worktree-end.js';
import { ignoredIn } from '../../../../src/server/manager/workspaces/worktree-work.js';

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** A repository with one commit, and a worktree of it. */
async function begin() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-worktree-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [repository, path] = [join(folder, 'shop'), join(folder, 'tree')];
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'config', 'user.name', 'Ada');
  git(repository, 'config', 'user.email', 'ada@example.org');
  writeFileSync(join(repository, '.gitignore'), 'ignored/\n.env\n');
  writeFileSync(join(repository, '.worktreeinclude'), '.env\n');
  writeFileSync(join(repository, '.env'), 'KEY=1\n');
  writeFileSync(join(repository, 'a.txt'), 'one\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'first');
  const worktree = { repository, path, branch: 'coxswain/tree' };
  await addWorktree(worktree);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  const commit = (name: string, text: string) => {
    write(name, text);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', name);
    return git(path, 'rev-parse', 'HEAD');
  };
  const kept = () => git(repository, 'for-each-ref', '--format=%(refname)', 'refs/coxswain/kept');
  return { ...worktree, worktree, write, commit, kept, folder };
}

const refused = (reason: string) => ({
  code: 'WORKSPACE_FAILED',
  message: expect.stringContaining(reason),
});

describe('merging', () => {
  test('merges the commits of a detached HEAD', async () => {
    const { repository, path, worktree, commit } = await begin();
    git(path, 'checkout', '-q', '--detach');
    const made = commit('b.txt', 'two\n');
    await endWorktree(worktree, 'merge');
    expect(git(repository, 'branch', '--contains', made)).toBe('* main');
    expect(existsSync(path)).toBe(false);
  });

  test('commits the files of a detached HEAD first, if asked to', async () => {
    const { repository, path, worktree, write } = await begin();
    git(path, 'checkout', '-q', '--detach');
    write('b.txt', 'two\n');
    await endWorktree(worktree, 'commit-and-merge');
    expect(readFileSync(join(repository, 'b.txt'), 'utf8')).toBe('two\n');
  });

  test('merges another branch that is checked out, and keeps that branch', async () => {
    const { repository, path, worktree, commit } = await begin();
    git(path, 'checkout', '-qb', 'feature');
    const made = commit('b.txt', 'two\n');
    await endWorktree(worktree, 'merge');
    expect(git(repository, 'rev-parse', 'main', 'feature').split('\n')).toEqual([made, made]);
    expect(git(repository, 'branch', '--list', 'coxswain/*')).toBe('');
  });

  test('refuses if the own branch has commits that are not checked out', async () => {
    const { path, worktree, commit } = await begin();
    commit('b.txt', 'two\n');
    git(path, 'checkout', '-qb', 'feature', 'HEAD~1');
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('coxswain/tree'));
    expect(existsSync(path)).toBe(true);
  });

  test('refuses changes that git was told to overlook', async () => {
    const { path, worktree, write } = await begin();
    git(path, 'update-index', '--assume-unchanged', 'a.txt');
    write('a.txt', 'two\n');
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('not committed'));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('two\n');
  });

  test('refuses a change of the same length in the second of the checkout', async () => {
    const { repository, path, worktree, write } = await begin();
    git(repository, 'config', 'core.trustctime', 'false');
    const index = join(git(path, 'rev-parse', '--absolute-git-dir'), 'index');
    const { mtime } = statSync(join(path, 'a.txt'));
    write('a.txt', 'two\n');
    for (const file of [join(path, 'a.txt'), index]) utimesSync(file, mtime, mtime);
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('not committed'));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('two\n');
  });

  test('refuses while a merge is under way in the worktree', async () => {
    const { repository, path, worktree, commit } = await begin();
    commit('a.txt', 'theirs\n');
    writeFileSync(join(repository, 'a.txt'), 'ours\n');
    git(repository, 'commit', '-qam', 'ours');
    expect(() => git(path, 'merge', '-q', 'main')).toThrow();
    await expect(endWorktree(worktree, 'commit-and-merge')).rejects.toMatchObject(refused('merge'));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toContain('<<<<<<<');
  });

  test('leaves a merge alone that is under way in the repository', async () => {
    const { repository, worktree, commit } = await begin();
    commit('b.txt', 'two\n');
    git(repository, 'checkout', '-qb', 'other');
    writeFileSync(join(repository, 'a.txt'), 'other\n');
    git(repository, 'commit', '-qam', 'other');
    git(repository, 'checkout', '-q', 'main');
    git(repository, 'merge', '-q', '--no-commit', '--no-ff', 'other');
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('under way'));
    expect(existsSync(join(repository, '.git', 'MERGE_HEAD'))).toBe(true);
  });

  test('refuses if the repository has no branch checked out', async () => {
    const { repository, path, worktree, commit } = await begin();
    commit('b.txt', 'two\n');
    git(repository, 'checkout', '-q', '--detach');
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('no branch'));
    expect(existsSync(path)).toBe(true);
  });

  test('refuses a folder that was turned into a worktree of another repository', async () => {
    const { path, worktree } = await begin();
    const other = await begin();
    const [, folder] = /^gitdir: (.+)$/m.exec(readFileSync(join(other.path, '.git'), 'utf8')) ?? [];
    writeFileSync(join(path, '.git'), `gitdir: ${folder}\n`);
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('not a worktree of'));
    rmSync(join(path, '.git'));
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('not a worktree of'));
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('what a repository defines', () => {
  test('hooks do not run', async () => {
    const { repository, worktree, commit, write, folder } = await begin();
    const ran = join(folder, 'ran');
    mkdirSync(join(repository, '.git', 'hooks'), { recursive: true });
    for (const hook of ['post-merge', 'post-checkout', 'pre-merge-commit', 'pre-commit', 'post-index-change'])
      writeFileSync(join(repository, '.git', 'hooks', hook), `#!/bin/sh\necho ${hook} >> ${ran}\n`, {
        mode: 0o755,
      });
    commit('b.txt', 'two\n');
    write('c.txt', 'three\n');
    rmSync(ran, { force: true });
    writeFileSync(join(repository, 'd.txt'), 'four\n');
    git(repository, '-c', 'core.hooksPath=/dev/null', 'add', '.');
    git(repository, '-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'ours');
    await endWorktree(worktree, 'commit-and-merge');
    expect(existsSync(join(repository, 'c.txt'))).toBe(true);
    expect(existsSync(ran)).toBe(false);
  });

  test.each([
    ['commit.gpgSign', 'true', 'signed'],
    ['merge.verifySignatures', 'true', 'signed'],
    ['filter.own.smudge', 'RAN', 'filters'],
    ['merge.own.driver', 'RAN', 'merge drivers'],
    ['merge.default', 'union', 'merge drivers'],
    ['pull.twohead', 'ours', 'merge strategy'],
    ['hook.own.command', 'RAN', 'hooks'],
    ['core.worktree', '/', 'another folder'],
  ])('%s is a reason to refuse', async (name, value, reason) => {
    const { repository, path, worktree, commit, folder } = await begin();
    const program = join(folder, 'program');
    const ran = join(folder, 'ran');
    writeFileSync(program, `#!/bin/sh\necho ran >> ${ran}\nexit 1\n`, { mode: 0o755 });
    commit('.gitattributes', '* filter=own merge=own\n');
    writeFileSync(join(repository, 'd.txt'), 'four\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '-qm', 'ours');
    git(repository, 'config', name, value === 'RAN' ? program : value);
    git(repository, 'config', 'gpg.program', program);
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused(reason));
    expect([existsSync(path), existsSync(ran)]).toEqual([true, false]);
  });
});

describe.skipIf(process.platform === 'win32')('a filter of the user', () => {
  /** The user has a filter, as git-lfs sets it up; a repository's settings can make it run what they name. */
  async function withFilter() {
    const begun = await begin();
    const { folder } = begun;
    const [program, ran, config] = [join(folder, 'program'), join(folder, 'ran'), join(folder, 'config')];
    writeFileSync(program, `#!/bin/sh\necho ran >> ${ran}\ncat\n`, { mode: 0o755 });
    writeFileSync(config, `[filter "own"]\n\tclean = ${program}\n\tsmudge = ${program}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    onTestFinished(() => void vi.unstubAllEnvs());
    return { ...begun, hasRun: () => existsSync(ran) };
  }

  test('does not run, and files that need it are a reason to refuse', async () => {
    const { path, worktree, write, commit, hasRun } = await withFilter();
    write('.gitattributes', '*.bin filter=own\n');
    write('b.bin', 'two\n');
    await expect(endWorktree(worktree, 'commit-and-merge')).rejects.toMatchObject(refused('b.bin'));
    commit('c.txt', 'three\n');
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('the filter "own"'));
    // Only the commit is left, without its files.
    rmSync(path, { recursive: true });
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('the filter "own"'));
    expect(hasRun()).toBe(false);
  });

  test('does not run when files are compared', async () => {
    const { repository, worktree, write, kept, hasRun } = await withFilter();
    write('.gitattributes', '*.bin filter=own\n');
    write('b.bin', 'two\n');
    await endWorktree(worktree, 'remove');
    expect(git(repository, 'show', `${kept()}:b.bin`)).toBe('two');
    expect(hasRun()).toBe(false);
  });

  test('is no reason to refuse if no file needs it', async () => {
    const { repository, path, worktree, commit, write } = await withFilter();
    commit('b.txt', 'two\n');
    write('c.txt', 'three\n');
    await endWorktree(worktree, 'commit-and-merge');
    expect([existsSync(join(repository, 'c.txt')), existsSync(path)]).toEqual([true, false]);
  });
});

describe('settings of a repository', () => {
  test('that define hooks are refused before anything is changed, whatever the end', async () => {
    const { path, worktree, write, kept } = await begin();
    write('b.txt', 'two\n');
    git(path, 'config', 'extensions.worktreeConfig', 'true');
    git(path, 'config', '--worktree', 'hook.own.event', 'reference-transaction');
    for (const end of ['merge', 'commit-and-merge', 'remove'] as const)
      await expect(endWorktree(worktree, end)).rejects.toMatchObject(refused('define hooks'));
    expect([git(path, 'status', '--porcelain'), kept()]).toEqual(['?? b.txt', '']);
  });

  test('do not send git to another folder', async () => {
    const { repository, path, worktree, folder, write, kept } = await begin();
    const secret = join(folder, 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'secret.txt'), 'secret\n');
    git(path, 'config', 'extensions.worktreeConfig', 'true');
    git(path, 'config', '--worktree', 'core.worktree', secret);
    write('b.txt', 'two\n');
    await endWorktree(worktree, 'remove');
    const names = git(repository, 'ls-tree', '--name-only', '-r', kept()).split('\n');
    expect(names).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
    expect(names).not.toContain('secret.txt');
  });

  test('may name the folder that a repository is in', async () => {
    const { repository, worktree, commit } = await begin();
    commit('b.txt', 'two\n');
    git(repository, 'config', 'core.worktree', '..');
    await endWorktree(worktree, 'merge');
    expect(readFileSync(join(repository, 'b.txt'), 'utf8')).toBe('two\n');
  });
});

describe('removing', () => {
  test('keeps commits, the index and untracked files for 30 days', async () => {
    const { repository, path, worktree, commit, write, kept } = await begin();
    git(path, 'checkout', '-q', '--detach');
    const left = commit('left.txt', 'left\n');
    git(path, 'checkout', '-q', 'coxswain/tree');
    const made = commit('b.txt', 'two\n');
    write('a.txt', 'staged\n');
    git(path, 'add', 'a.txt');
    write('a.txt', 'not staged\n');
    write('new.txt', 'new\n');
    const day = 24 * 3_600_000;
    const now = Date.UTC(2026, 0, 1);
    await endWorktree(worktree, 'remove', { now });
    expect([existsSync(path), git(repository, 'branch', '--list', 'coxswain/*')]).toEqual([false, '']);
    const ref = kept();
    expect(ref).toMatch(/^refs\/coxswain\/kept\/tree\/\d+$/);
    const show = (name: string) => git(repository, 'show', `${ref}:${name}`);
    expect(['a.txt', 'b.txt', 'new.txt'].map(show)).toEqual(['not staged', 'two', 'new']);
    expect(git(repository, 'show', `${ref}^2:a.txt`)).toBe('staged');
    const all = git(repository, 'rev-list', ref).split('\n');
    expect(all).toEqual(expect.arrayContaining([made, left]));
    await addWorktree(worktree);
    await endWorktree(worktree, 'remove', { now: now + 29 * day });
    expect(kept()).toBe(ref);
    await addWorktree(worktree);
    await endWorktree(worktree, 'remove', { now: now + 31 * day });
    expect(kept()).toBe('');
  });

  test('keeps the commits of a branch whose folder is gone', async () => {
    const { repository, path, worktree, commit, kept } = await begin();
    const made = commit('b.txt', 'two\n');
    rmSync(path, { recursive: true });
    await endWorktree(worktree, 'remove');
    expect(git(repository, 'rev-list', kept()).split('\n')).toContain(made);
  });

  test.each(['remove', 'merge'] as const)(
    'loses no commit that was checked out in a folder that is gone (%s)',
    async (end) => {
      const { repository, path, worktree, commit, kept } = await begin();
      git(path, 'checkout', '-q', '--detach');
      const left = commit('left.txt', 'left\n');
      git(path, 'checkout', '-q', 'HEAD~1');
      const made = commit('b.txt', 'two\n');
      rmSync(path, { recursive: true });
      await endWorktree(worktree, end);
      const all = git(repository, 'rev-list', kept()).split('\n');
      expect(all).toContain(left);
      if (end === 'remove') expect(all).toContain(made);
      else expect(git(repository, 'rev-parse', 'main')).toBe(made);
    },
  );

  test('keeps what was checked out in a folder that is gone when it is made again', async () => {
    const { repository, path, worktree, commit, kept } = await begin();
    const own = commit('own.txt', 'own\n');
    rmSync(path, { recursive: true });
    await addWorktree(worktree);
    // Its branch has it.
    expect(kept()).toBe('');
    git(path, 'checkout', '-q', '--detach');
    const left = commit('left.txt', 'left\n');
    rmSync(path, { recursive: true });
    await addWorktree(worktree);
    expect(git(path, 'rev-parse', 'HEAD')).toBe(own);
    expect(git(repository, 'rev-list', kept()).split('\n')).toContain(left);
  });

  test('leaves other worktrees listed whose folders are gone: a disk may come back', async () => {
    const { repository, path, worktree, folder } = await begin();
    const other = join(folder, 'other');
    git(repository, 'worktree', 'add', '--quiet', other);
    rmSync(other, { recursive: true });
    rmSync(path, { recursive: true });
    await addWorktree(worktree);
    await endWorktree(worktree, 'remove');
    const listed = git(repository, 'worktree', 'list', '--porcelain');
    expect(listed).toContain(other);
    expect(listed).not.toContain(path);
  });

  test('makes a worktree again whose folder is empty', async () => {
    const { path, worktree } = await begin();
    rmSync(path, { recursive: true });
    mkdirSync(path);
    await addWorktree(worktree);
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
  });

  test('keeps nothing if there is nothing to keep, not even unchanged copies of ignored files', async () => {
    const { path, worktree, kept } = await begin();
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
    await endWorktree(worktree, 'remove');
    expect([existsSync(path), kept()]).toEqual([false, '']);
  });

  test.each(['merge', 'remove'] as const)(
    'lists ignored files, and waits for a confirmation (%s)',
    async (end) => {
      const { path, worktree, write } = await begin();
      write('.env', 'KEY=2\n');
      mkdirSync(join(path, 'ignored'));
      write('ignored/result.txt', 'result\n');
      const done = endWorktree(worktree, end);
      await expect(done).rejects.toMatchObject(refused('.env'));
      await expect(done).rejects.toMatchObject(refused('ignored/'));
      expect(readFileSync(join(path, 'ignored', 'result.txt'), 'utf8')).toBe('result\n');
      await endWorktree(worktree, end, { discardIgnored: true });
      expect(existsSync(path)).toBe(false);
    },
  );

  test('lists repositories inside the worktree, which no commit can hold', async () => {
    const { path, worktree, write } = await begin();
    mkdirSync(join(path, 'inner'));
    git(join(path, 'inner'), 'init', '-q');
    write('inner/work.txt', 'work\n');
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('inner/'));
    await expect(endWorktree(worktree, 'commit-and-merge')).rejects.toMatchObject(refused('inner/'));
    expect(existsSync(join(path, 'inner', 'work.txt'))).toBe(true);
    await endWorktree(worktree, 'remove', { discardIgnored: true });
    expect(existsSync(path)).toBe(false);
  });
});

describe('a check that fails', () => {
  test('is no permission to delete what git cannot list', async () => {
    const { path, worktree, write } = await begin();
    write('.env', 'KEY=2\n');
    writeFileSync(join(git(path, 'rev-parse', '--absolute-git-dir'), 'index'), 'no index');
    await expect(ignoredIn(worktree)).rejects.toMatchObject(refused('git ls-files'));
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('git ls-files'));
    expect(existsSync(path)).toBe(true);
  });

  test('is no proof that a repository has no filters', async () => {
    const { repository } = await begin();
    writeFileSync(join(repository, '.git', 'config'), '[filter "own"]\n\tclean = x\n[broken\n');
    await expect(withoutFilters(repository)).rejects.toMatchObject(refused('git config'));
    await expect(programsNeeded(repository)).rejects.toMatchObject(refused('git config'));
    await expect(needsSignature(repository)).rejects.toMatchObject(refused('git config'));
  });

  test('is no proof that there is nothing in a folder', async () => {
    const { path, worktree } = await begin();
    rmSync(path, { recursive: true });
    writeFileSync(path, 'a file');
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('cannot be read'));
    expect(readFileSync(path, 'utf8')).toBe('a file');
  });

  test('keeps the files of a worktree without an index', async () => {
    const { repository, path, worktree, write, kept } = await begin();
    write('a.txt', 'two\n');
    rmSync(join(git(path, 'rev-parse', '--absolute-git-dir'), 'index'));
    await expect(endWorktree(worktree, 'merge')).rejects.toMatchObject(refused('not committed'));
    await endWorktree(worktree, 'remove');
    expect(git(repository, 'show', `${kept()}:a.txt`)).toBe('two');
  });

  test('refuses to remove files that git cannot store', async () => {
    const { path, worktree, write } = await begin();
    write('a.txt', 'two\n');
    git(path, 'update-index', '--add', '--cacheinfo', `100644,${'1'.repeat(40)},gone.txt`);
    git(path, 'update-index', '--skip-worktree', 'gone.txt');
    await expect(endWorktree(worktree, 'remove')).rejects.toMatchObject(refused('git write-tree'));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('two\n');
  });
});
