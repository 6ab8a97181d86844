import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BareClient, startEmulatedConsole } from '../support/console.js';

/** A console with an open session in its own folder, and a file next to that folder. */
async function begin(files: Readonly<Record<string, string>>) {
  const { server, root } = await startEmulatedConsole([]);
  const cwd = join(root, 'project');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(cwd, name, '..'), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  await writeFile(join(root, 'secret.txt'), 'secret');
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd });
  const find = async (search?: string, limit?: number) =>
    (await client.ask('files', { search, limit }, { session })).files;
  return { client, session, cwd, root, find };
}

const PROJECT = {
  '.gitignore': 'build/\n*.log\n!keep.log\n',
  'src/parser.ts': 'export {};\n',
  'src/parser.test.ts': 'test();\n',
  'src/.ignore': 'secret-notes.md\n',
  'src/secret-notes.md': '',
  'build/parser.js': '',
  'debug.log': '',
  'keep.log': '',
  'a file.md': '# A file\n',
};

test.each(['without git', 'with git'])('files are found by parts of their names, %s', async (how) => {
  const { cwd, find } = await begin(PROJECT);
  if (how === 'with git') execFileSync('git', ['init', '-q'], { cwd });
  const all = await find();
  expect(all).toEqual(expect.arrayContaining(['src/', 'src/parser.ts', 'a file.md', 'keep.log']));
  expect(all.filter((name) => name.startsWith('build') || name === 'debug.log')).toEqual([]);
  if (how === 'without git') expect(all).not.toContain('src/secret-notes.md');
  expect((await find('pars')).slice(0, 2)).toEqual(['src/parser.ts', 'src/parser.test.ts']);
  expect(await find('sptst')).toEqual(['src/parser.test.ts']);
  expect(await find('PARSER.T', 1)).toEqual(['src/parser.ts']);
  expect(await find('nothing like this')).toEqual([]);
});

test('a file is read, but only its start if it is long', async () => {
  const { client, session, cwd } = await begin({ 'a.txt': 'hello', 'long.txt': 'x'.repeat(1_100_000) });
  await writeFile(join(cwd, 'picture.bin'), Buffer.from([1, 0, 2]));
  const read = (path: string) => client.ask('file', { path }, { session });
  expect(await read('a.txt')).toEqual({
    path: 'a.txt',
    bytes: 5,
    text: 'hello',
    cut: false,
    version: expect.any(String),
  });
  expect(await read(join(await realpath(cwd), 'a.txt'))).toMatchObject({ path: 'a.txt' });
  const long = await read('long.txt');
  expect([long.bytes, long.text?.length, long.cut]).toEqual([1_100_000, 1024 * 1024, true]);
  expect(await read('picture.bin')).toEqual({ path: 'picture.bin', bytes: 3, cut: false });
});

test('an image is returned whole, by its first bytes and not by its name', async () => {
  const { client, session, cwd } = await begin({ 'not.png': 'text' });
  const images = {
    'image/png': '89504e470d0a1a0a00',
    'image/jpeg': 'ffd8ffe000',
    'image/gif': '47494638396100',
    'image/webp': '52494646000000005745425000',
  };
  const read = (path: string) => client.ask('file', { path }, { session });
  for (const [type, bytes] of Object.entries(images)) {
    await writeFile(join(cwd, 'some.bin'), Buffer.from(bytes, 'hex'));
    const data = Buffer.from(bytes, 'hex').toString('base64');
    expect((await read('some.bin')).image).toEqual({ type, data });
  }
  expect((await read('not.png')).image).toBeUndefined();
  await writeFile(
    join(cwd, 'long.png'),
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_100_000)]),
  );
  expect((await read('long.png')).image).toBeUndefined();
});

test('nothing outside the folder is listed or read, whatever the path', async () => {
  const { client, session, cwd, root, find } = await begin({ 'a.txt': 'hello' });
  const outside = await mkdtemp(join(tmpdir(), 'coxswain-outside-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await writeFile(join(outside, 'key.pem'), 'key');
  await symlink(outside, join(cwd, 'link'));
  await symlink(join(root, 'secret.txt'), join(cwd, 'shown.txt'));
  await symlink('a.txt', join(cwd, 'inside.txt'));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const hostile = [
    '../secret.txt',
    'src/../../secret.txt',
    join(root, 'secret.txt'),
    '/etc/passwd',
    'link/key.pem',
    'shown.txt',
    'link',
    '.',
    '..',
    'pipe',
    'a.txt\0.png',
    'not there',
    `${'x/'.repeat(3_000)}y`,
    '/proc/self/environ',
    '~/.ssh/id_rsa',
  ];
  for (const path of hostile) {
    const done = await client.command('file', { path }, { session });
    expect(done, path).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
  }
  // Missing and forbidden files give the same error.
  const refusals = await Promise.all(
    ['../secret.txt', '../no-secret.txt'].map((path) => client.command('file', { path }, { session })),
  );
  const [one, other] = refusals.map((done) => (done.ok ? '' : done.error.message.replace(/^\S+/, '')));
  expect(one).toBe(other);
  expect((await find()).filter((name) => /key|secret/.test(name))).toEqual([]);
  expect((await client.ask('file', { path: 'inside.txt' }, { session })).text).toBe('hello');
});

test('repository settings run nothing', async () => {
  const { cwd, find } = await begin({ 'a.txt': 'hello' });
  const mark = join(cwd, '..', 'was-run');
  execFileSync('git', ['init', '-q'], { cwd });
  execFileSync('git', ['config', 'core.fsmonitor', `touch ${mark}; false`], { cwd });
  expect(await find('a')).toContain('a.txt');
  await expect(realpath(mark)).rejects.toThrow();
});
