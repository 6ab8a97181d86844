import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectKeyOf } from '../../src/host/transcripts/project-folders.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';

async function begin() {
  const { server, root, stateFolder } = await startEmulatedConsole([]);
  const repository = join(root, 'shop');
  await mkdir(join(repository, 'web'), { recursive: true });
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd,
      stdio: 'pipe',
    })
      .toString()
      .trim();
  gitIn(repository, 'init', '-q');
  // The server's merge commits need a name too.
  gitIn(repository, 'config', 'user.name', 'Ada');
  gitIn(repository, 'config', 'user.email', 'ada@example.org');
  await writeFile(join(repository, 'web', 'a.txt'), 'one\n');
  gitIn(repository, 'add', '.');
  gitIn(repository, 'commit', '-qm', 'first');
  const client = await BareClient.connect(server);
  const open = async (folder = repository) => {
    const { session } = await client.ask('open', { cwd: folder, workspace: 'worktree' });
    const { worktrees } = await client.ask('worktrees', {});
    const worktree = worktrees.find(({ sessions }) => sessions.includes(session));
    if (worktree === undefined) throw new Error('the worktree is not listed');
    return { session, worktree };
  };
  const end = (worktree: string, how: 'merge' | 'commit-and-merge' | 'remove') =>
    client.command('worktrees.end', { worktree, how });
  return { client, root, repository, stateFolder, gitIn, open, end };
}

test('a session works in its own worktree, which is merged when it is closed', async () => {
  const { client, repository, stateFolder, gitIn, open, end } = await begin();
  const { session, worktree } = await open(join(repository, 'web'));
  const { name, path, branch } = worktree;
  expect(path).toBe(join(await realpath(stateFolder), 'worktrees', name));
  expect(worktree).toMatchObject({
    repository: await realpath(repository),
    uncommitted: 0,
    commits: 0,
    atLeast: false,
  });
  expect(worktree.bytes).toBeGreaterThan(0);
  const summary = await client.ever(
    ({ type, session: of }) => type === 'session' && (of as { id: string }).id === session,
  );
  expect(summary.session).toMatchObject({ cwd: join(path, 'web') });
  expect((await client.ask('files', { search: 'a.txt' }, { session })).files).toEqual(['a.txt']);

  await writeFile(join(path, 'web', 'a.txt'), 'two\n');
  expect((await client.ask('changes', {}, { session })).files).toMatchObject([
    { path: 'a.txt', how: 'changed' },
  ]);
  expect(await end(name, 'merge')).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  await client.ask('close', {}, { session });
  // Uncommitted changes would be lost.
  expect(await end(name, 'merge')).toMatchObject({ ok: false, error: { code: 'WORKSPACE_FAILED' } });
  gitIn(path, 'commit', '-qam', 'second');
  const [listed] = (await client.ask('worktrees', {})).worktrees;
  expect(listed).toMatchObject({ uncommitted: 0, commits: 1 });
  expect(await end(name, 'merge')).toMatchObject({ ok: true });
  expect(await readFile(join(repository, 'web', 'a.txt'), 'utf8')).toBe('two\n');
  expect([existsSync(path), gitIn(repository, 'branch', '--list', `${branch}`)]).toEqual([false, '']);
  expect((await client.ask('worktrees', {})).worktrees).toEqual([]);
  const audit = await readFile(join(stateFolder, 'audit.jsonl'), 'utf8');
  expect(audit).toContain(`"about":"merge: ${name}"`);
  const opened = audit.split('\n').find((line) => line.includes('"what":"open"')) ?? '{}';
  const about = `a new worktree of ${join(repository, 'web')}: ${join(path, 'web')}`;
  expect(JSON.parse(opened)).toMatchObject({ session, about });
});

test('a branch with conflicts is not merged, the repository is unchanged, and the worktree can be removed', async () => {
  const { client, repository, gitIn, open, end } = await begin();
  const { session, worktree } = await open();
  await writeFile(join(worktree.path, 'web', 'a.txt'), 'theirs\n');
  gitIn(worktree.path, 'commit', '-qam', 'theirs');
  await writeFile(join(repository, 'web', 'a.txt'), 'ours\n');
  gitIn(repository, 'commit', '-qam', 'ours');
  await client.ask('close', {}, { session });
  const done = await end(worktree.name, 'merge');
  expect(done).toMatchObject({ ok: false, error: { code: 'WORKSPACE_FAILED' } });
  expect(done.ok ? '' : done.error.message).toContain('conflicts with what is checked out');
  expect(gitIn(repository, 'status', '--porcelain')).toBe('');
  expect(await readFile(join(repository, 'web', 'a.txt'), 'utf8')).toBe('ours\n');
  expect(await end(worktree.name, 'remove')).toMatchObject({ ok: true });
  expect(existsSync(worktree.path)).toBe(false);
});

test('a session in a worktree is reopened there', async () => {
  const { client, open } = await begin();
  const { session, worktree } = await open();
  await client.ask('close', {}, { session });
  await client.ask('reopen', {}, { session });
  const [listed] = (await client.ask('worktrees', {})).worktrees;
  expect(listed).toMatchObject({ name: worktree.name, sessions: [session] });
});

test('a message to a parked session and the end of its worktree exclude each other', async () => {
  const { client, root, open, end } = await begin();
  const { session, worktree } = await open();
  const { conversation } = (
    await client.ever(({ type, session: of }) => type === 'session' && 'conversation' in (of as object))
  ).session as { conversation: string };
  await client.ask('park', {}, { session });
  // Reading what was said meanwhile takes longer than beginning to remove the worktree.
  const line = (index: number) => ({
    type: 'user',
    uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    parentUuid: index === 0 ? null : `00000000-0000-4000-8000-${String(index - 1).padStart(12, '0')}`,
    sessionId: conversation,
    cwd: worktree.path,
    message: { role: 'user', content: 'x'.repeat(200) },
  });
  const project = join(root, 'projects', projectKeyOf(worktree.path));
  await mkdir(project, { recursive: true });
  const lines = Array.from({ length: 60_000 }, (_, index) => `${JSON.stringify(line(index))}\n`);
  await writeFile(join(project, `${conversation}.jsonl`), lines.join(''));
  const sent = client.command('send', { content: 'Hello' }, { session });
  expect(await end(worktree.name, 'remove')).toMatchObject({
    ok: false,
    error: { code: 'COMMAND_INVALID', message: expect.stringContaining('open in this worktree') },
  });
  expect(await sent).toMatchObject({ ok: true });
  expect(existsSync(worktree.path)).toBe(true);
});

test('a folder without git, a resumed conversation, or a repository above the root gets no worktree', async () => {
  const { client, root, end } = await begin();
  const plain = join(root, 'plain');
  await mkdir(plain);
  const refused = (params: object) =>
    client.command('open', { cwd: plain, workspace: 'worktree', ...params });
  expect(await refused({})).toMatchObject({ ok: false, error: { code: 'WORKSPACE_FAILED' } });
  expect(await refused({ resume: 'x' })).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  expect(await refused({ cwd: '/' })).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
  for (const name of ['..', '../sessions', '/etc', 'nothing', '.'])
    expect(await end(name, 'remove'), name).toMatchObject({ ok: false, error: { code: 'WORKSPACE_FAILED' } });
  expect((await client.ask('worktrees', {})).worktrees).toEqual([]);
  expect(existsSync(root)).toBe(true);
});

test('a worktree is removed again if its session cannot be opened', async () => {
  const { client, repository, gitIn } = await begin();
  const done = await client.command('open', {
    cwd: repository,
    workspace: 'worktree',
    permissionMode: 'a mode that is none',
  });
  expect(done.ok).toBe(false);
  expect((await client.ask('worktrees', {})).worktrees).toEqual([]);
  expect(gitIn(repository, 'branch', '--list', 'coxswain/*')).toBe('');
});

test('uncommitted files are committed before a merge, unless the repository defines filters that would run', async () => {
  const { client, repository, gitIn, open, end } = await begin();
  const { session, worktree } = await open();
  await writeFile(join(worktree.path, 'web', 'a.txt'), 'two\n');
  await writeFile(join(worktree.path, 'new.txt'), 'new\n');
  await client.ask('close', {}, { session });
  gitIn(repository, 'config', 'filter.own.clean', 'false');
  expect(await end(worktree.name, 'commit-and-merge')).toMatchObject({
    ok: false,
    error: { code: 'WORKSPACE_FAILED', message: expect.stringContaining('filters') },
  });
  gitIn(repository, 'config', '--remove-section', 'filter.own');
  expect(await end(worktree.name, 'commit-and-merge')).toMatchObject({ ok: true });
  expect(await readFile(join(repository, 'web', 'a.txt'), 'utf8')).toBe('two\n');
  expect(await readFile(join(repository, 'new.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(worktree.path)).toBe(false);
});
