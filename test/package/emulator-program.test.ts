import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { emulatorProgram } from 'coxswain/testing';
import { expect, test } from 'vitest';
import { readScenario } from '../../src/lab/testing/emulator/program/scenario-file.js';
import { testedVersions } from '../support/tested-versions.js';

// Windows cannot start a script by its path.
const before = process.platform === 'win32' ? [process.execPath] : [];

test.each([...testedVersions, '2.1.200'])('the emulated %s can be started by its path', (version) => {
  const [command = '', ...args] = [...before, emulatorProgram(version), '--version'];
  const { stdout, error } = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(error).toBeUndefined();
  expect(stdout).toBe(`${version} (Claude Code)\n`);
});

test('the scenario on the page about tests without a key is valid', () => {
  const page = readFileSync('docs/how-to/test-your-app-without-a-key.md', 'utf8');
  const [, json = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(readScenario(JSON.parse(json))).toMatchObject([{ on: 'user', match: 'list files' }]);
});

test('the program with a permission on the page about tests without a key prints what the page says', () => {
  const page = readFileSync('docs/how-to/test-your-app-without-a-key.md', 'utf8');
  const [, program = ''] = /`emulated\.mjs`:\n\n```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'asked for Bash\nThere is a README.\nsuccess\n', stderr: '' });
});
