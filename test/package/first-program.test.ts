import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';

test('the first program of the README starts a new line for the text after a tool call', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-first-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const calls = useTool('Bash', { command: 'ls' }, { ask: true, result: 'a.txt' });
  const steps = [say('One moment.'), calls, say('One file.'), done()];
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify([{ on: 'user', steps }]));
  const env = { PATH: process.env.PATH, HOME: folder, COXSWAIN_SCENARIO: scenario };
  const program = resolve('dist/examples/25-first.mjs');
  const printed = execFileSync(process.execPath, [program], { cwd: folder, env, encoding: 'utf8' });
  expect(printed).toBe('One moment.\nOne file.\nsuccess\n');
});
