import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { addWorktree } from '../../src/server/manager/workspaces/worktree.js';
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

test('the end of a workspace merges a detached HEAD, and deletes ignored files only if you say so', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('a', { workspace: 'worktree' });
  await talk.send('x').outcome;
  const [path] = folders as [string];
  await talk.park();
  git(path, 'checkout', '--quiet', '--detach');
  writeFileSync(join(path, 'made.txt'), 'made\n');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'made');
  writeFileSync(join(path, '.env'), 'KEY=2\n');
  await expect(talk.endWorkspace('merge')).rejects.toMatchObject({
    code: 'WORKSPACE_FAILED',
    message: expect.stringContaining('.env'),
  });
  expect([existsSync(join(cwd, 'made.txt')), existsSync(path)]).toEqual([false, true]);
  await talk.endWorkspace('merge', { discardIgnored: ['.env'] });
  expect([readFileSync(join(cwd, 'made.txt'), 'utf8'), existsSync(path)]).toEqual(['made\n', false]);
  await manager.close();
});

test('a conversation whose worktree cannot be merged is not deleted, and continues with its messages', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  await talk.send('x').outcome;
  writeFileSync(join(folders[0] ?? '', 'file.txt'), 'not committed\n');
  const deleted = manager.delete('one', { workspace: 'merge' });
  const waiting = talk.send('y');
  await expect(deleted).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
  expect((await waiting.outcome).kind).toBe('success');
  await manager.delete('one', { workspace: 'remove' });
  expect([talk.state, existsSync(folders[0] ?? '')]).toEqual(['deleted', false]);
  await manager.close();
});

test('a worktree deleted by hand is created again from its branch', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  await talk.send('x').outcome;
  await talk.park();
  rmSync(folders[0] ?? '', { recursive: true });
  expect((await talk.send('y').outcome).kind).toBe('success');
  expect(existsSync(join(folders[0] ?? '', 'file.txt'))).toBe(true);
  await manager.close();
});

test('a message that arrives while a worktree is merged gets a new one', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  await talk.send('x').outcome;
  const ended = talk.endWorkspace('merge');
  await expect.poll(() => talk.state).toBe('parked');
  const turn = talk.send('y');
  await ended;
  expect((await turn.outcome).kind).toBe('success');
  expect(readFileSync(join(folders[1] ?? '', 'file.txt'), 'utf8')).toBe('first\n');
  await manager.close();
});

test.each(['merge', 'remove'] as const)(
  'a worktree that is not there, or only in part, can be ended (%s)',
  async (end) => {
    const cwd = repository();
    const { manager, folders } = await managerIn(cwd);
    const [fresh, partial] = ['fresh', 'partial'].map((name) =>
      manager.conversation(name, { workspace: 'worktree' }),
    );
    await fresh?.endWorkspace(end);
    await partial?.send('x').outcome;
    await partial?.park();
    git(cwd, 'worktree', 'unlock', folders[0] ?? '');
    git(cwd, 'worktree', 'remove', '--force', folders[0] ?? '');
    await partial?.endWorkspace(end);
    await manager.delete('partial', { workspace: end });
    expect(git(cwd, 'branch', '--list', 'coxswain/*')).toBe('');
    await manager.close();
  },
);

/** A worktree's files, and whether git works in it. */
function stateOf(path: string) {
  const files = ['.env', 'file.txt', 'other.txt'].filter((name) => existsSync(join(path, name)));
  writeFileSync(join(path, 'new.txt'), 'new\n');
  git(path, 'add', 'new.txt');
  return { files, changes: git(path, 'status', '--porcelain') };
}

test.skipIf(process.platform === 'win32').each([
  ['while files are written', 'smudge'],
  ['before the included files are copied', 'hook'],
])('a worktree whose creation was killed %s is completed', async (_when, where) => {
  const cwd = repository();
  writeFileSync(join(cwd, '.gitattributes'), 'other.txt filter=deadly\n');
  writeFileSync(join(cwd, 'other.txt'), 'other\n');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'second');
  // `git worktree add` lets another git check the files out.
  const both = 'kill -9 $(ps -o ppid= -p $PPID) $PPID';
  if (where === 'smudge') git(cwd, 'config', 'filter.deadly.smudge', both);
  else writeHook(cwd, 'kill -9 $PPID');
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  expect((await talk.send('x').outcome).kind).toBe('cli-ended');
  if (where === 'smudge') git(cwd, 'config', '--unset', 'filter.deadly.smudge');
  else writeHook(cwd, 'exit 0');
  talk.retry();
  expect((await talk.send('x').outcome).kind).toBe('success');
  const [path = ''] = folders;
  expect(stateOf(path)).toEqual({ files: ['.env', 'file.txt', 'other.txt'], changes: 'A  new.txt\n' });
  // A complete one is used as it is, with the work in it.
  await talk.park();
  rmSync(join(path, '.env'));
  await talk.send('y').outcome;
  expect(stateOf(path).files).toEqual(['file.txt', 'other.txt']);
  await manager.close();
});

test('a complete worktree that was unlocked by hand keeps its work', async () => {
  const cwd = repository();
  const { manager, folders } = await managerIn(cwd);
  const talk = manager.conversation('one', { workspace: 'worktree' });
  await talk.send('x').outcome;
  await talk.park();
  const [path = ''] = folders;
  writeFileSync(join(path, 'file.txt'), 'mine\n');
  writeFileSync(join(path, '.env'), 'KEY=2\n');
  git(cwd, 'worktree', 'unlock', path);
  await talk.send('y').outcome;
  const texts = ['file.txt', '.env'].map((name) => readFileSync(join(path, name), 'utf8'));
  expect(texts).toEqual(['mine\n', 'KEY=2\n']);
  await manager.close();
});

test.skipIf(process.platform === 'win32')(
  'a hook that hangs is ended with the manager, and the message stays for the next one',
  async () => {
    const cwd = repository();
    const begun = join(cwd, '.git', 'begun');
    writeHook(cwd, `echo $$ > ${begun}; cat; sleep 600`);
    const { manager, store } = await managerIn(cwd);
    const talk = manager.conversation('one', { workspace: 'worktree' });
    const turn = talk.send('x');
    await expect.poll(() => existsSync(begun) && readFileSync(begun, 'utf8')).toMatch(/\d/);
    await manager.close();
    expect((await turn.outcome).kind).toBe('closed');
    const pid = Number(readFileSync(begun, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    writeHook(cwd, 'exit 0');
    const next = await managerIn(cwd, store);
    const told: string[] = [];
    next.manager.on('turn', ({ outcome }) => told.push(outcome.kind));
    await expect.poll(() => told).toEqual(['success']);
    await next.manager.close();
  },
);

test.skipIf(process.platform === 'win32')('git has a time limit', async () => {
  const repo = repository();
  writeHook(repo, 'sleep 600');
  const options = {
    repository: repo,
    path: join(storeFolder(), 'tree'),
    branch: 'coxswain/x',
    limitMs: 1_000,
  };
  await expect(addWorktree(options)).rejects.toMatchObject({
    code: 'WORKSPACE_FAILED',
    message: expect.stringContaining('git worktree add did not end'),
  });
});

test('a worktree starts from the chosen branch, freshly fetched, and keeps the subfolder', async () => {
  const origin = repository();
  const cwd = join(storeFolder(), 'clone');
  git(origin, 'clone', '--quiet', origin, cwd);
  mkdirSync(join(origin, 'web'));
  writeFileSync(join(origin, 'web', 'new.txt'), 'new\n');
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '-m', 'second');
  mkdirSync(join(cwd, 'web'));
  const { manager, folders } = await managerIn(join(cwd, 'web'));
  const workspace = { worktree: 'origin/main' };
  expect((await manager.conversation('one', { workspace }).send('x').outcome).kind).toBe('success');
  expect(readFileSync(join(folders[0] ?? '', 'new.txt'), 'utf8')).toBe('new\n');
  expect((await manager.conversation('two', { workspace: 'worktree' }).send('x').outcome).kind).toBe(
    'success',
  );
  expect([basename(folders[1] ?? ''), existsSync(join(folders[1] ?? '', 'new.txt'))]).toEqual(['web', false]);
  git(cwd, 'remote', 'set-url', 'origin', join(cwd, 'nowhere'));
  const offline = manager.conversation('three', { workspace });
  expect((await offline.send('x').outcome).kind).toBe('cli-ended');
  expect(offline.facts.failure).toMatch(/origin\/main could not be fetched/);
  await manager.close();
});

function writeHook(repo: string, script: string): void {
  mkdirSync(join(repo, '.git', 'hooks'), { recursive: true });
  writeFileSync(join(repo, '.git', 'hooks', 'post-checkout'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a folder that is not a repository fails the conversation with git’s message', async () => {
  const { manager } = await managerIn(storeFolder());
  const talk = manager.conversation('one', { workspace: 'worktree' });
  expect((await talk.send('x').outcome).kind).toBe('cli-ended');
  expect(talk.facts.failure).toMatch(/not a git repository/);
  await manager.close();
});
