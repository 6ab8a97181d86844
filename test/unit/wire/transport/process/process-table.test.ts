import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { carriesMark, chainMarks } from '../../../../../src/wire/transport/process/process-mark.js';
import {
  ownedBy,
  parsePsTable,
  readProcFolder,
  readPsTable,
} from '../../../../../src/wire/transport/process/process-table.js';

const entry = (pid: number, parent: number, group: number, mark = '') => ({ pid, parent, group, mark });

describe('the processes of a child', () => {
  const child = { pid: 10, mark: 'abc-1' };

  test('its group, its descendants in other groups, and everything with its mark', () => {
    const table = [
      entry(1, 0, 1),
      entry(10, 1, 10, 'abc-1'),
      entry(11, 10, 10),
      entry(12, 11, 12),
      entry(13, 12, 12),
      entry(20, 1, 20, 'abc-1'),
      entry(21, 20, 21),
      entry(30, 1, 10),
    ];
    expect(ownedBy(child, table)).toEqual([10, 11, 12, 13, 20, 21, 30]);
  });

  test('nothing of a sibling, of the host or of a mark that only begins the same', () => {
    const table = [entry(1, 0, 1), entry(5, 1, 5), entry(40, 5, 40, 'abc-2'), entry(41, 5, 41, 'abc-10')];
    expect(ownedBy(child, table)).toEqual([]);
  });

  test('a mark passed on through another host still counts', () => {
    const table = [entry(50, 1, 50, 'abc-1/def-7')];
    expect(ownedBy(child, table)).toEqual([50]);
    expect(ownedBy({ pid: 99, mark: 'def-7' }, table)).toEqual([50]);
  });

  test('cycles in the list end', () => {
    expect(ownedBy(child, [entry(10, 11, 10), entry(11, 10, 11)])).toEqual([10, 11]);
  });
});

test('marks are chained and distinct', () => {
  expect(chainMarks(undefined, 'a-1')).toBe('a-1');
  expect(chainMarks('', 'a-1')).toBe('a-1');
  expect(chainMarks('o-2', 'a-1')).toBe('o-2/a-1');
  expect(carriesMark('o-2/a-1', 'a-1')).toBe(true);
  expect(carriesMark('o-2/a-11', 'a-1')).toBe(false);
  expect(carriesMark('', '')).toBe(false);
});

describe('/proc', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proc-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (pid: string, stat: string, environ?: string) => {
    mkdirSync(join(folder, pid));
    writeFileSync(join(folder, pid, 'stat'), stat);
    if (environ !== undefined) writeFileSync(join(folder, pid, 'environ'), environ);
  };

  test('names with brackets, zombies, foreign processes and other files are handled', async () => {
    write('7', '7 (a) b) (c) S 3 6 6 0', 'A=1\0COXSWAIN_MARK=m-1\0B=2\0');
    write('8', '8 (gone) Z 3 8 8 0', 'COXSWAIN_MARK=m-1\0');
    write('9', '9 (foreign) R 1 9 9 0');
    write('10', '10 (like) R 1 9 9 0', 'XCOXSWAIN_MARK=m-1\0');
    mkdirSync(join(folder, 'sys'));
    mkdirSync(join(folder, '11'));
    const table = await readProcFolder(folder);
    expect(table.sort((one, other) => one.pid - other.pid)).toEqual([
      entry(7, 3, 6, 'm-1'),
      entry(9, 1, 9),
      entry(10, 1, 9),
    ]);
  });

  test('a process between fork and exec is read again, one without memory or variables is not', async () => {
    const fields = (vsize: number, env: number) =>
      `S 1 9 9 ${'0 '.repeat(16)}${vsize} ${'0 '.repeat(26)}${env} ${env}`;
    write('20', `20 (starting) ${fields(4096, 0)}`, '');
    write('21', `21 (kernel) ${fields(0, 0)}`, '');
    write('22', `22 (bare) ${fields(4096, 77)}`, '');
    const reading = readProcFolder(folder);
    writeFileSync(join(folder, '20', 'environ'), 'COXSWAIN_MARK=late-1\0');
    writeFileSync(join(folder, '21', 'environ'), 'COXSWAIN_MARK=late-2\0');
    writeFileSync(join(folder, '22', 'environ'), 'COXSWAIN_MARK=late-3\0');
    const table = await reading;
    expect(table).toContainEqual(entry(20, 1, 9, 'late-1'));
    expect(table).toContainEqual(entry(21, 1, 9));
    expect(table).toContainEqual(entry(22, 1, 9));
  });

  test('a process that never shows an environment is finally listed without one', async () => {
    writeFileSync(join(folder, '20', 'environ'), '');
    expect(await readProcFolder(folder)).toContainEqual(entry(20, 1, 9));
  });

  test('a process that started during the scan is listed', async () => {
    const reading = readProcFolder(folder);
    write('30', '30 (newborn) S 1 30 30 0', 'COXSWAIN_MARK=m-2\0');
    expect(await reading).toContainEqual(entry(30, 1, 30, 'm-2'));
  });

  test.runIf(process.platform === 'linux')('the real one has this process', async () => {
    const own = (await readProcFolder()).find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid });
  });
});

test('ps, as on macOS, is read with the environment after the command', async () => {
  const text = [
    '    1     0     1 Ss   /sbin/launchd',
    '  200     1   200 S    node cli.js --x PATH=/bin COXSWAIN_MARK=m-1 HOME=/h',
    '  201   200   201 S+   /bin/zsh -c sleep',
    '  202   200   202 Z    (defunct)',
    'garbage',
    '',
  ].join('\n');
  expect(parsePsTable(text)).toEqual([entry(1, 0, 1), entry(200, 1, 200, 'm-1'), entry(201, 200, 201)]);
  const asked: string[] = [];
  const table = await readPsTable(async (file, args) => {
    asked.push(file, ...args);
    return text;
  });
  expect(table).toHaveLength(3);
  expect(asked).toEqual(['/bin/ps', '-axEww', '-o', 'pid=,ppid=,pgid=,state=,command=']);
});
