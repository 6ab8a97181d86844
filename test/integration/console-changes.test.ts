import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assistantToolUse } from '../../src/lab/testing/builders/assistant.js';
import { toolResult } from '../../src/lab/testing/builders/user.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, isCliMessage, startEmulatedConsole } from '../support/console.js';

/** The result of an edit as the CLI reports it. */
function edited(id: string, filePath: string, originalFile: string | null) {
  const structured = { filePath, originalFile, structuredPatch: [], newString: 'x', oldString: 'y' };
  return [
    send(assistantToolUse('Edit', { file_path: filePath }, { toolUseId: id })),
    send(toolResult(id, 'edited', { structured })),
  ];
}

async function begin(scenario: (cwd: string) => Scenario = () => []) {
  let cwd = '';
  const { server, root } = await startEmulatedConsole(() => scenario(cwd));
  cwd = join(root, 'project');
  await mkdir(cwd);
  const client = await BareClient.connect(server);
  const gitAt = (date: string | undefined, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd,
      stdio: 'pipe',
      env: { ...process.env, ...(date === undefined ? {} : { GIT_COMMITTER_DATE: date }) },
    });
  const git = (...args: string[]) => gitAt(undefined, ...args);
  const open = async () => {
    const { session } = await client.ask('open', { cwd });
    return {
      session,
      changes: () => client.ask('changes', {}, { session }),
      change: (path: string) => client.ask('change', { path }, { session }),
    };
  };
  const write = (name: string, text: string) => writeFile(join(cwd, name), text);
  return { client, root, cwd, git, gitAt, open, write };
}

test('with git, lists everything that differs from the commit at the start, including the session’s own commits', async () => {
  const { cwd, git, gitAt, open, write } = await begin();
  git('init', '-q');
  await write('.gitignore', 'ignored.txt\n');
  await write('kept.txt', 'kept\n');
  await write('gone.txt', 'gone\n');
  await write('changed.txt', 'one\ntwo\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const first = git('rev-parse', 'HEAD').toString().trim();
  const { changes, change } = await open();
  expect(await changes()).toEqual({ against: 'git', commit: first, files: [], cut: false });

  await write('changed.txt', 'one\n2\nthree\n');
  // More than a second after the start, which is git's resolution.
  gitAt('2099-01-01T00:00:00Z', 'commit', '-qam', 'a commit of the session');
  await rm(join(cwd, 'gone.txt'));
  await write('new file.txt', 'a\nb\n');
  await write('ignored.txt', 'x');
  await writeFile(join(cwd, 'picture.bin'), Buffer.from([0, 1, 2]));
  const { files } = await changes();
  expect(files).toEqual([
    { path: 'changed.txt', how: 'changed', edited: false, added: 2, removed: 1 },
    { path: 'gone.txt', how: 'removed', edited: false, added: 0, removed: 1 },
    { path: 'new file.txt', how: 'added', edited: false, added: 2, removed: 0 },
    { path: 'picture.bin', how: 'added', edited: false },
  ]);
  expect(await change('changed.txt')).toEqual({
    path: 'changed.txt',
    before: 'one\ntwo\n',
    after: 'one\n2\nthree\n',
    cut: false,
  });
  expect(await change('gone.txt')).toMatchObject({ before: 'gone\n', after: null });
  expect(await change('new file.txt')).toMatchObject({ before: null, after: 'a\nb\n' });
  expect(await change('picture.bin')).toEqual({ path: 'picture.bin', before: null, cut: false });
});

test('with git but no commit, everything is new', async () => {
  const { git, open, write } = await begin();
  git('init', '-q');
  await write('a.txt', 'a\n');
  const { changes } = await open();
  expect(await changes()).toEqual({
    against: 'git',
    files: [{ path: 'a.txt', how: 'added', edited: false, added: 1, removed: 0 }],
    cut: false,
  });
});

test('without git, lists files edited by the session’s tools, compared with their earlier contents', async () => {
  const { client, cwd, open, write } = await begin((folder) => [
    onUser([
      ...edited('t1', join(folder, 'a.txt'), 'before\n'),
      ...edited('t2', join(folder, 'a.txt'), 'between\n'),
      ...edited('t3', join(folder, 'new.txt'), null),
      ...edited('t4', join(folder, 'same.txt'), 'same\n'),
      ...edited('t5', join(folder, '..', 'outside.txt'), 'secret'),
      say('Done.'),
    ]),
  ]);
  await write('a.txt', 'after\n');
  await write('new.txt', 'new\n');
  await write('same.txt', 'same\n');
  await write('untouched.txt', '');
  const { session, changes, change } = await open();
  expect(await changes()).toEqual({ against: 'edits', files: [], cut: false });
  client.attach(session);
  await client.ask('send', { content: 'Go' }, { session });
  await client.event('line', isCliMessage('result'));
  expect(await changes()).toEqual({
    against: 'edits',
    files: [
      { path: 'a.txt', how: 'changed', edited: true },
      { path: 'new.txt', how: 'added', edited: true },
    ],
    cut: false,
  });
  expect(await change('a.txt')).toMatchObject({ before: 'before\n', after: 'after\n' });
  expect(await change(join(cwd, 'new.txt'))).toMatchObject({ path: 'new.txt', before: null });
});

test('files outside the folder are not compared, and repository settings run nothing', async () => {
  const { client, root, cwd, git, open, write } = await begin();
  const mark = join(root, 'was-run');
  await writeFile(join(root, 'secret.txt'), 'secret');
  git('init', '-q');
  await write('a.txt', 'a\n');
  await write('.gitattributes', '*.txt filter=a=b diff=own\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const run = `touch ${mark}; cat`;
  for (const name of ['filter.a=b.clean', 'diff.own.textconv', 'diff.own.command', 'diff.external'])
    git('config', name, run);
  git('config', 'filter.a=b.required', 'true');
  git('config', 'core.fsmonitor', run);
  await symlink(join(root, 'secret.txt'), join(cwd, 'link.txt'));
  await write('a.txt', 'b\n');
  const { session, changes, change } = await open();
  const { files } = await changes();
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'link.txt']);
  expect(await change('a.txt')).toMatchObject({ before: 'a\n', after: 'b\n' });
  expect(await change('link.txt')).toMatchObject({ before: null, after: null });
  expect(existsSync(mark)).toBe(false);
  for (const path of [
    '../secret.txt',
    join(root, 'secret.txt'),
    '/etc/passwd',
    '.',
    'a\0b',
    'x/../../secret.txt',
  ]) {
    const done = await client.command('change', { path }, { session });
    expect(done, path).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
  }
});
