import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GitCheckpoints } from '../../../../src/server/fleet/workspaces/git-checkpoints.js';
import { workspacePolicy } from '../../../../src/server/fleet/workspaces/workspace-policy.js';

const session = '0f9c3ed0-7d9d-4f3e-9b1c-2c43d95a1f10';

/** A remote with one commit on `main`, and two workers. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [remote, first] = [join(folder, 'remote.git'), join(folder, 'first')];
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, first);
  git(first, 'checkout', '--quiet', '-B', 'main');
  writeFileSync(join(first, 'kept.txt'), 'one\n');
  writeFileSync(join(first, 'deleted.txt'), 'one\n');
  writeFileSync(join(first, '.gitignore'), 'secret.env\n');
  commit(first, 'First');
  git(first, 'push', '--quiet', 'origin', 'main');
  const worker = (name: string) => new GitCheckpoints({ remote, root: join(folder, name) });
  return { folder, remote, one: worker('one'), two: worker('two') };
}

test('the next owner gets the same files, branch and commits', async () => {
  const { one, two } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  git(cwd, 'checkout', '--quiet', '-b', 'work/topic');
  writeFileSync(join(cwd, 'committed.txt'), 'c\n');
  commit(cwd, 'Second');
  writeFileSync(join(cwd, 'kept.txt'), 'two\n');
  writeFileSync(join(cwd, 'new.txt'), 'n\n');
  writeFileSync(join(cwd, 'secret.env'), 'KEY=1\n');
  rmSync(join(cwd, 'deleted.txt'));
  const before = git(cwd, 'status', '--porcelain');
  await one.checkpoint({ session, cwd, epoch: 1 });
  expect(git(cwd, 'status', '--porcelain')).toBe(before);

  const next = (await two.prepare({ session, epoch: 1 })).cwd;
  expect(next).not.toBe(cwd);
  expect(git(next, 'status', '--porcelain')).toBe(before);
  expect(git(next, 'log', '--format=%s', '-1')).toBe('Second');
  expect(git(next, 'symbolic-ref', '--short', 'HEAD')).toBe('work/topic');
  expect(readFileSync(join(next, 'kept.txt'), 'utf8')).toBe('two\n');
  expect(existsSync(join(next, 'deleted.txt'))).toBe(false);
  expect(existsSync(join(next, 'secret.env'))).toBe(false);
});

test('an earlier owner pushes nothing, and a later one takes over', async () => {
  const { remote, one, two } = setUp();
  const [old, young] = [
    (await one.prepare({ session, epoch: 1 })).cwd,
    (await two.prepare({ session, epoch: 1 })).cwd,
  ];
  writeFileSync(join(old, 'kept.txt'), 'old\n');
  await one.checkpoint({ session, cwd: old, epoch: 1 });
  // The new owner did not see the last push of the old one, but still has precedence.
  writeFileSync(join(young, 'kept.txt'), 'young\n');
  await two.checkpoint({ session, cwd: young, epoch: 2 });
  writeFileSync(join(old, 'kept.txt'), 'too late\n');
  await expect(one.checkpoint({ session, cwd: old, epoch: 1 })).rejects.toMatchObject({
    code: 'FLEET_FENCED',
  });
  expect(git(remote, 'show', `refs/coxswain/${session}:kept.txt`)).toBe('young');
});

test('a worker that made the last checkpoint itself keeps later changes', async () => {
  const { one, two } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  writeFileSync(join(cwd, 'new.txt'), 'turn 1\n');
  await one.checkpoint({ session, cwd, epoch: 1 });
  writeFileSync(join(cwd, 'new.txt'), 'half of turn 2\n');
  await one.prepare({ session, epoch: 1 });
  expect(readFileSync(join(cwd, 'new.txt'), 'utf8')).toBe('half of turn 2\n');
  // Once another worker had it, that one's checkpoint counts.
  const other = (await two.prepare({ session, epoch: 1 })).cwd;
  writeFileSync(join(other, 'new.txt'), 'turn 2\n');
  await two.checkpoint({ session, cwd: other, epoch: 2 });
  await one.prepare({ session, epoch: 1 });
  expect(readFileSync(join(cwd, 'new.txt'), 'utf8')).toBe('turn 2\n');
});

test('a turn without changes makes no checkpoint', async () => {
  const { remote, one } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  await one.checkpoint({ session, cwd, epoch: 1 });
  const first = git(remote, 'rev-parse', `refs/coxswain/${session}`);
  await one.checkpoint({ session, cwd, epoch: 1 });
  expect(git(remote, 'rev-parse', `refs/coxswain/${session}`)).toBe(first);
});

test('a repository without a commit works too', async () => {
  const { folder } = setUp();
  const remote = join(folder, 'empty.git');
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const [one, two] = ['e1', 'e2'].map((name) => new GitCheckpoints({ remote, root: join(folder, name) }));
  const { cwd = '' } = (await one?.prepare({ session, epoch: 1 })) ?? {};
  writeFileSync(join(cwd, 'new.txt'), 'n\n');
  await one?.checkpoint({ session, cwd, epoch: 1 });
  const { cwd: next = '' } = (await two?.prepare({ session, epoch: 1 })) ?? {};
  expect(git(next, 'status', '--porcelain')).toBe('?? new.txt');
});

test('a removed conversation leaves neither clone nor ref', async () => {
  const { remote, one } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  await one.checkpoint({ session, cwd, epoch: 1 });
  await one.remove({ session });
  expect(existsSync(cwd)).toBe(false);
  expect(git(remote, 'for-each-ref', 'refs/coxswain')).toBe('');
});

test('an earlier owner deletes its clone of a conversation that was removed elsewhere, and no other', async () => {
  const { one, two } = setUp();
  const other = '5d7f2a10-7d9d-4f3e-9b1c-2c43d95a1f10';
  const { cwd } = await one.prepare({ session, epoch: 1 });
  await one.checkpoint({ session, cwd, epoch: 1 });
  const { cwd: kept } = await one.prepare({ session: other, epoch: 1 });
  await one.checkpoint({ session: other, cwd: kept, epoch: 1 });
  const { cwd: unsaved } = await one.prepare({ session: 'unsaved', epoch: 1 });
  await two.prepare({ session, epoch: 1 });
  await one.clean(async () => true);
  expect(existsSync(cwd)).toBe(true);
  await two.remove({ session });
  await one.clean(async () => false);
  expect(existsSync(cwd)).toBe(true);
  await one.clean(async () => true);
  expect([cwd, kept, unsaved].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test('an unreachable remote is an error that names no password', async () => {
  const { folder } = setUp();
  const policy = new GitCheckpoints({
    remote: 'http://me:secret@127.0.0.1:9/x.git',
    root: join(folder, 'x'),
  });
  const error = await policy.prepare({ session, epoch: 1 }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'WORKSPACE_FAILED' });
  expect(String(error)).not.toContain('secret');
});

test('programs in the settings of a clone, which a model may have written, do not run', async () => {
  const { folder, remote, one } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  const ran = join(folder, 'ran');
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\nps -o args= -p $PPID >> ${JSON.stringify(ran)}\ncat\n`, { mode: 0o755 });
  writeFileSync(join(cwd, '.gitattributes'), '* filter=own\n');
  for (const name of ['filter.own.clean', 'filter.own.smudge', 'core.fsmonitor', 'gpg.program'])
    git(cwd, 'config', name, program);
  git(cwd, 'config', 'commit.gpgSign', 'true');
  writeFileSync(join(cwd, 'new.txt'), 'n\n');
  await one.checkpoint({ session, cwd, epoch: 1 });
  expect(git(remote, 'show', `refs/coxswain/${session}:new.txt`)).toBe('n');
  expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').toBe('');
});

test.each([
  ['core.sshCommand', 'program'],
  ['url.file:///elsewhere.insteadOf', 'file:'],
  ['remote.origin.receivepack', 'program'],
])('nothing is pushed from a clone whose settings say how to reach remotes: %s', async (name, value) => {
  const { remote, one } = setUp();
  const { cwd } = await one.prepare({ session, epoch: 1 });
  git(cwd, 'config', name, value);
  writeFileSync(join(cwd, 'new.txt'), 'n\n');
  await expect(one.checkpoint({ session, cwd, epoch: 1 })).rejects.toThrow('change how remotes are reached');
  expect(git(remote, 'for-each-ref', 'refs/coxswain')).toBe('');
});

test('with a clone for each owner, an earlier one writes to its own', async () => {
  const { folder, remote } = setUp();
  const policy = new GitCheckpoints({ remote, root: join(folder, 'shared'), perOwner: true });
  const { cwd: old } = await policy.prepare({ session, epoch: 1 });
  writeFileSync(join(old, 'new.txt'), 'turn 1\n');
  await policy.checkpoint({ session, cwd: old, epoch: 1 });
  const { cwd: next } = await policy.prepare({ session, epoch: 7 });
  expect(next).not.toBe(old);
  // A tool of a worker that was paused goes on.
  writeFileSync(join(old, 'new.txt'), 'too late\n');
  expect(readFileSync(join(next, 'new.txt'), 'utf8')).toBe('turn 1\n');
  await policy.remove({ session });
  expect([old, next].map((path) => existsSync(path))).toEqual([false, false]);
});

test('ids that would be paths are refused', async () => {
  const { one } = setUp();
  await expect(one.prepare({ session: '../x', epoch: 1 })).rejects.toMatchObject({
    code: 'WORKSPACE_FAILED',
  });
});

test('without a policy the folder is unchanged; a shared one must exist', async () => {
  const use = { session, cwd: '/nowhere/at/all', epoch: 1 };
  expect(await workspacePolicy('none').prepare(use)).toEqual({ cwd: use.cwd });
  await expect(workspacePolicy('shared').prepare(use)).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
  expect(await workspacePolicy('shared').prepare({ ...use, cwd: tmpdir() })).toEqual({ cwd: tmpdir() });
});

function commit(cwd: string, message: string): void {
  git(cwd, 'add', '--all');
  git(cwd, '-c', 'user.name=T', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', message);
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
