import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  isSameProcess,
  processId,
  startFromPs,
} from '../../../../../src/wire/transport/process/process-id.js';

test('a process is the same as long as it runs', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const one = processId(child.pid ?? 0);
  expect(isSameProcess(one)).toBe(true);
  child.stdin.end();
  await once(child, 'exit');
  expect(isSameProcess(one)).toBe(false);
});

test.runIf(existsSync('/bin/ps'))('without /proc, ps identifies another process with the same id', () => {
  const readStart = (pid: number) => startFromPs(pid, 'darwin');
  const one = processId(process.pid, readStart);
  expect(one.started).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
  expect(isSameProcess(one, readStart)).toBe(true);
  expect(isSameProcess({ ...one, started: 'Mon Jan  5 08:00:00 2026' }, readStart)).toBe(false);
});

test('Windows reports no start time, so a running process counts as the same', () => {
  const readStart = (pid: number) => startFromPs(pid, 'win32');
  expect(isSameProcess(processId(process.pid, readStart), readStart)).toBe(true);
});
