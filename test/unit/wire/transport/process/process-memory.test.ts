import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { treeMemoryIn } from '../../../../../src/wire/transport/process/process-memory.js';

const folder = mkdtempSync(join(tmpdir(), 'proc-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(pid: number, parent: number, mark: string, status?: string): void {
  const own = join(folder, String(pid));
  mkdirSync(own);
  writeFileSync(join(own, 'stat'), `${pid} (x) S ${parent} ${pid} ${pid} 0`);
  writeFileSync(join(own, 'environ'), `COXSWAIN_MARK=${mark}\0`);
  if (status !== undefined) writeFileSync(join(own, 'status'), status);
}

test('the memory of a child includes everything that belongs to it, and nothing else', async () => {
  write(10, 1, 'outer-1/a-1', 'Name:\tx\nVmHWM:\t  900 kB\nVmRSS:\t  100 kB\n');
  write(11, 10, '', 'VmRSS:\t   10 kB\n');
  // Its parent is gone, but it carries the mark; the other one belongs to a sibling with the same owner.
  write(12, 1, 'outer-1/a-1', 'VmRSS:\t    1 kB\n');
  write(20, 1, 'outer-1/a-2', 'VmRSS:\t 1000 kB\n');
  // It exited while the list was read.
  write(21, 20, '');
  const found = await treeMemoryIn(folder, [10, 20, 99]);
  expect([...found]).toEqual([
    [10, { bytes: 111 * 1024, processes: 3 }],
    [20, { bytes: 1_000 * 1024, processes: 2 }],
  ]);
});

test('a system without such a folder reports nothing', async () => {
  expect((await treeMemoryIn(join(folder, 'none'), [10])).size).toBe(0);
});
