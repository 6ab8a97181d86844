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

test('coxswain emulate --path prints a program that is there', async () => {
  const { stdout, code } = await emulate(['--path', '--cli-version', '2.0.73']);
  expect(code).toBe(0);
  expect(await readFile(stdout.trim(), 'utf8')).toContain('startProgram("2.0.73")');
});

test('coxswain emulate plays the version and the scenario it is given, and reports', async () => {
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

test("coxswain emulate takes the CLI's own flags after two dashes", async () => {
  const { stdout } = await emulate(['--cli-version', '2.1.325', '--', '--version']);
  expect(stdout).toBe('2.1.325 (Claude Code)\n');
});

test('a scenario that is not there ends coxswain emulate with a usage error', async () => {
  const { stderr, code } = await emulate(['--scenario', 'missing.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('missing.json cannot be read');
});

async function emulate(args: readonly string[], input = '') {
  const main = join(process.cwd(), 'dist/command.js');
  const child = spawn(process.execPath, [main, 'emulate', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, COXSWAIN_SESSIONS: folder },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { stdout, stderr, code };
}
