import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { writeTapWrapper } from '../../../../src/command/recordings/tap-wrapper.js';
import { findCli } from '../../../../src/host/cli/program/find-cli.js';
import { resolveProgram } from '../../../../src/host/cli/program/program.js';
import { installEmulator } from '../../../../src/lab/testing/emulator/program/install-program.js';
import { fakeSystem } from '../../host/cli/options/fake-system.js';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'programs & more %PATH% '));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The files of a program as Windows would see them, below `C:\p`. */
function onWindows(program: string) {
  const bare = program.replace(/\.mjs$/, '');
  const text = (extension: string) => ({ text: readFileSync(`${bare}.${extension}`, 'utf8') });
  const files = { 'C:\\p\\claude.mjs': text('mjs'), 'C:\\p\\claude.cmd': text('cmd') };
  return fakeSystem({
    platform: 'win32',
    files: { ...files, 'C:\\node\\node.exe': { text: 'MZ' } },
    env: { Path: 'C:\\p' },
  });
}

test.each([
  ['an emulated CLI', () => installEmulator(join(root, 'e', 'claude'), { platform: 'win32' })],
  [
    'a tap',
    () =>
      writeTapWrapper(
        join(root, 't', 'claude'),
        { output: 'a.trace', file: 'claude', args: [], flags: {} },
        { platform: 'win32' },
      ),
  ],
])('%s for Windows is a program that SDKs can start: by its path and by name', async (_, write) => {
  const program = await write();
  expect(program).toMatch(/claude\.mjs$/);
  const system = onWindows(program);
  for (const cli of ['C:\\p\\claude.mjs', 'C:\\p\\claude.cmd', 'claude', 'C:\\p\\claude']) {
    const { found } = findCli({ cli }, system);
    expect(found?.path, cli).toBe('C:\\p\\claude.mjs');
  }
  const { file, prefix } = resolveProgram('C:\\p\\claude.mjs', { searchPath: '' }, system);
  expect([file, ...prefix]).toEqual(['C:\\node\\node.exe', 'C:\\p\\claude.mjs']);
});

test('the module of an emulated CLI plays its version, in a folder with any name', async () => {
  const program = await installEmulator(join(root, 'v', 'claude'), { platform: 'win32', version: '2.0.73' });
  const { stdout } = await run(process.execPath, [program, '--version']);
  expect(stdout.trim()).toBe('2.0.73 (Claude Code)');
});

test('the module of a tap passes on arguments and the exit code', async () => {
  const wrapped = { output: join(root, 'a.trace'), file: process.execPath, args: ['-e'], flags: {} };
  const program = await writeTapWrapper(join(root, 'w', 'tap'), wrapped, { platform: 'win32' });
  const code = 'console.log(process.argv[1]); process.exitCode = 7';
  const ran = await run(process.execPath, [program, code, '100% "sure" & so on']).catch((error) => error);
  expect(ran).toMatchObject({ code: 7, stdout: '100% "sure" & so on\n' });
});
