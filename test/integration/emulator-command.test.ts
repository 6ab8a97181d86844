import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulate-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('coxswain emulate --path prints the path of an existing program', async () => {
  const { stdout, code } = await emulate(['--path', '--cli-version', '2.0.73']);
  expect(code).toBe(0);
  expect(await readFile(stdout.trim(), 'utf8')).toContain('startProgram("2.0.73")');
});

test('coxswain emulate plays the given version and scenario, and writes a report', async () => {
  await writeFile(
    join(folder, 's.json'),
    JSON.stringify([{ on: 'user', match: 'hi', steps: [{ do: 'apiFailure' }] }]),
  );
  const args = ['--cli-version', '2.1.17', '--scenario', 's.json', '--report', 'r.json'];
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' } });
  const { stdout, code } = await emulate(args, `${line}\n`);
  expect(code).toBe(1);
  const frames = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(frames[0]).toMatchObject({ type: 'system', claude_code_version: '2.1.17' });
  expect(frames.at(-1)).toMatchObject({ type: 'result', is_error: true });
  expect(JSON.parse(await readFile(join(folder, 'r.json'), 'utf8'))).toEqual({
    finished: true,
    failures: [],
  });
});

test("coxswain emulate accepts the CLI's own flags after two dashes", async () => {
  const { stdout } = await emulate(['--cli-version', '2.1.326', '--', '--version']);
  expect(stdout).toBe('2.1.326 (Claude Code)\n');
});

test('a missing scenario ends coxswain emulate with a usage error', async () => {
  const { stderr, code } = await emulate(['--scenario', 'missing.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('missing.json cannot be read');
});

test('coxswain emulate --install writes a program that plays a scenario in any environment', async () => {
  const scenario = [{ on: 'user', match: 'hi', steps: [{ do: 'done', text: 'Installed.' }] }];
  await writeFile(join(folder, "it's.json"), JSON.stringify(scenario));
  const flags = ['--scenario', "it's.json", '--report', 'installed.json', '--version', '2.1.200'];
  const { stdout, code, stderr } = await emulate(['--install', 'bin/claude', ...flags]);
  expect({ code, stderr, path: stdout.trim() }).toEqual({
    code: 0,
    stderr: '',
    path: join(folder, 'bin/claude'),
  });
  // Only the environment that every SDK passes on, and an unrelated scenario in it.
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' } });
  const streaming = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const played = await start(stdout.trim(), streaming, { env: { HOME: folder }, input: `${line}\n` });
  expect(played.stdout).toContain('"claude_code_version":"2.1.200"');
  expect(played.stdout).toContain('"result":"Installed."');
  expect(JSON.parse(await readFile(join(folder, 'installed.json'), 'utf8'))).toMatchObject({
    finished: true,
  });
});

test('an installed program prints its version without Node, and only if that is all it is asked', async () => {
  await writeFile(join(folder, 's.json'), '[]');
  const { stdout } = await emulate([
    '--install',
    'no-node',
    '--scenario',
    's.json',
    '--cli-version',
    '2.1.17',
  ]);
  const path = stdout.trim();
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll(process.execPath, '/nowhere/node'));
  for (const flag of ['-v', '--version'])
    expect(await start(path, [flag], { env: {} })).toMatchObject({
      stdout: '2.1.17 (Claude Code)\n',
      code: 0,
    });
  expect(await start(path, ['-p', '-v'], { env: {} })).toMatchObject({ stdout: '', code: 127 });
});

test('a scenario that does not load is an error, on installation and at each start', async () => {
  const missing = await emulate(['--install', 'claude', '--scenario', 'missing.json']);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('missing.json cannot be read') });
  await writeFile(join(folder, 'gone.json'), '[]');
  const { stdout } = await emulate(['--install', 'claude', '--scenario', 'gone.json']);
  await rm(join(folder, 'gone.json'));
  const started = await start(stdout.trim(), ['-p', 'hi'], { env: {} });
  expect(started).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('cannot be read') });
  const empty = await start(process.execPath, [join(process.cwd(), 'dist/emulator/main.js'), '-p', 'hi'], {
    env: { COXSWAIN_SCENARIO: '' },
  });
  expect(empty).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('cannot be read') });
});

async function emulate(args: readonly string[], input = '') {
  const main = join(process.cwd(), 'dist/command.js');
  const env = { PATH: process.env.PATH, COXSWAIN_SESSIONS: folder };
  return start(process.execPath, [main, 'emulate', ...args], { env, input });
}

interface Start {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

async function start(file: string, args: readonly string[], { env, input = '' }: Start) {
  const child = spawn(file, args, { cwd: folder, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { stdout, stderr, code };
}
