import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lowestNumber, startedSoFar } from '../../../../../src/wire/transport/process/process-numbers.js';
import { readProcFolder } from '../../../../../src/wire/transport/process/process-table.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  mkdirSync(join(folder, 'sys/kernel'), { recursive: true });
  tell({ started: 1_000, running: 50, highest: 32_768 });
});
afterEach(() => rmSync(folder, { recursive: true }));

function tell({ started, running, highest }: Record<'started' | 'running' | 'highest', number>): void {
  writeFileSync(join(folder, 'stat'), `cpu  1 2 3\nctxt 9\nprocesses ${started}\nprocs_running 1\n`);
  writeFileSync(join(folder, 'loadavg'), `0.10 0.20 0.30 2/${running} 4711\n`);
  writeFileSync(join(folder, 'sys/kernel/pid_max'), `${highest}\n`);
}

test('processes started after a child have a higher id, so the lowest child is enough', () => {
  const children = [
    { pid: 700, startedBefore: 990 },
    { pid: 600, startedBefore: 900 },
  ];
  expect(lowestNumber(children, folder)).toBe(600);
});

test('ids that may have wrapped around say nothing', () => {
  const child = { pid: 30_000, startedBefore: 0 };
  tell({ started: 2_717, running: 50, highest: 32_768 });
  expect(lowestNumber([child], folder)).toBe(30_000);
  tell({ started: 2_718, running: 50, highest: 32_768 });
  expect(lowestNumber([child], folder)).toBe(0);
  expect(lowestNumber([{ pid: 100, startedBefore: 2_700 }, child], folder)).toBe(0);
});

test('a count that is constant, missing or unreadable says nothing', () => {
  expect(lowestNumber([{ pid: 600, startedBefore: 1_000 }], folder)).toBe(0);
  expect(lowestNumber([{ pid: 600 }], folder)).toBe(0);
  rmSync(join(folder, 'loadavg'));
  expect(lowestNumber([{ pid: 600, startedBefore: 900 }], folder)).toBe(0);
});

test('processes older than the children are not examined', async () => {
  for (const pid of [500, 600, 700]) {
    mkdirSync(join(folder, `${pid}`));
    writeFileSync(join(folder, `${pid}`, 'stat'), `${pid} (any) S 1 ${pid} ${pid} 0`);
  }
  const found = await readProcFolder(folder, [{ pid: 600, startedBefore: 900 }]);
  expect(found.map(({ pid }) => pid)).toEqual([600, 700]);
  expect(await readProcFolder(folder, [{ pid: 600 }])).toHaveLength(3);
});

test('processes with ids from before the last wrap are not examined if the system says which id was last', async () => {
  for (const pid of [600, 650, 30_000]) {
    mkdirSync(join(folder, `${pid}`));
    writeFileSync(join(folder, `${pid}`, 'stat'), `${pid} (any) S 1 ${pid} ${pid} 0`);
  }
  const child = { pid: 600, startedBefore: 900 };
  const found = async (last: number) => {
    writeFileSync(join(folder, 'sys/kernel/ns_last_pid'), `${last}\n`);
    return (await readProcFolder(folder, [child])).map(({ pid }) => pid).sort((one, other) => one - other);
  };
  expect(await found(700)).toEqual([600, 650]);
  expect(await found(600)).toEqual([600]);
  // A number that cannot be: it says nothing.
  expect(await found(0)).toEqual([600, 650, 30_000]);
  expect(await readProcFolder(folder, [{ pid: 600 }])).toHaveLength(3);
});

test.runIf(process.platform === 'linux')('the real count grows with every process', async () => {
  const before = startedSoFar() ?? 0;
  const { spawnSync } = await import('node:child_process');
  spawnSync('true');
  expect(startedSoFar()).toBeGreaterThan(before);
});
