import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { echo, storeFolder } from '../support/manager.js';

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
}

function repository(): string {
  const folder = storeFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, '.gitignore'), '.env\n');
  writeFileSync(join(folder, '.worktreeinclude'), '.env\n');
  writeFileSync(join(folder, '.env'), 'KEY=1\n');
  writeFileSync(join(folder, 'file.txt'), 'first\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}

/** A manager that records the folder in which each CLI was started. */
async function managerIn(cwd: string, store = storeFolder()) {
  const folders: string[] = [];
  const start = (options: SessionOptions) => {
    folders.push(String(options.cwd));
    const { cwd: _, resume: __, ...rest } = options;
    return startSession({ ...rest, transport: emulateCli(echo).transport });
  };
  const manager = await openManager({ store, defaults: { cwd } }, { startSession: start });
  return { manager, folders, store };
}

test('a conversation in a worktree has its own branch and the included files, across restarts', async () => {
  const cwd = repository();
  const { manager, folders, store } = await managerIn(cwd);
  await manager.conversation('a b/c', { workspace: 'worktree' }).send('x').outcome;
  await manager.close();
  const again = await managerIn(cwd, store);
  await again.manager.find('a b/c').send('y').outcome;
  const [path] = again.folders as [string];
  expect(folders).toEqual([path]);
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(git(path, 'branch', '--show-current')).toMatch(/^coxswain\/a-b-c-/);
  await again.manager.close();
});

test('its work is merged, or removed with its branch', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const [kept, dropped] = ['kept', 'dropped'].map((name) =>
    manager.conversation(name, { workspace: 'worktree' }),
  );
  for (const talk of [kept, dropped]) await talk?.send('x').outcome;
  const [one, other] = folders as [string, string];
  writeFileSync(join(one, 'file.txt'), 'second\n');
  await expect(kept?.endWorkspace('merge')).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
  git(one, 'commit', '--quiet', '-am', 'second');
  await kept?.endWorkspace('merge');
  expect(readFileSync(join(cwd, 'file.txt'), 'utf8')).toBe('second\n');
  await dropped?.endWorkspace('remove');
  expect([existsSync(one), existsSync(other)]).toEqual([false, false]);
  expect(git(cwd, 'branch', '--list', 'coxswain/*')).toBe('');
  await manager.close();
});

test('a worktree deleted by hand is created again from its branch', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  await talk.send('x').outcome;
  await talk.park();
  git(cwd, 'worktree', 'unlock', folders[0] ?? '');
  rmSync(folders[0] ?? '', { recursive: true });
  expect((await talk.send('y').outcome).kind).toBe('success');
  expect(existsSync(join(folders[0] ?? '', 'file.txt'))).toBe(true);
  await manager.close();
});

test('a folder that is not a repository fails the conversation with git’s message', async () => {
  const { manager } = await managerIn(storeFolder());
  const talk = manager.conversation('one', { workspace: 'worktree' });
  expect((await talk.send('x').outcome).kind).toBe('cli-ended');
  expect(talk.facts.failure).toMatch(/not a git repository/);
  await manager.close();
});
