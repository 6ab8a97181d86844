import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TraceWindows } from '../../../../src/wire/trace/inspect/trace-windows.js';

describe('the windows of a recording', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coxswain-windows-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('are the same for requests at the same time', async () => {
    const file = join(folder, 'a.trace');
    writeFileSync(file, 'four\n'.repeat(10));
    const windows = new TraceWindows(file, 20);
    const lists = await Promise.all([windows.list(), windows.list(), windows.list()]);
    for (const list of lists)
      expect(list.map(({ line, end }) => [line, end])).toEqual([
        [1, 20],
        [5, 40],
        [9, 50],
      ]);
    appendFileSync(file, 'four\n'.repeat(2));
    expect((await windows.list()).map(({ line }) => line)).toEqual([1, 5, 9]);
  });

  test('can be listed again after a failure', async () => {
    const file = join(folder, 'late.trace');
    const windows = new TraceWindows(file);
    await expect(windows.list()).rejects.toThrow('ENOENT');
    writeFileSync(file, 'one\n');
    expect(await windows.list()).toEqual([{ start: 0, line: 1, end: 4 }]);
  });
});
