import { spawnSync } from 'node:child_process';
import { emulatedVersions, emulatorProgram } from 'coxswain/testing';
import { expect, test } from 'vitest';

// Windows starts no script by its path.
const before = process.platform === 'win32' ? [process.execPath] : [];

test.each(emulatedVersions)('the emulated %s is started by its path', (version) => {
  const [command = '', ...args] = [...before, emulatorProgram(version), '--version'];
  const { stdout, error } = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(error).toBeUndefined();
  expect(stdout).toBe(`${version} (Claude Code)\n`);
});
