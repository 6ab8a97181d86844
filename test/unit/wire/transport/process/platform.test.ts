import { describe, expect, test } from 'vitest';
import { processControl } from '../../../../../src/wire/transport/process/platform.js';
import type { ProcessEntry } from '../../../../../src/wire/transport/process/process-table.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';

const child = { pid: 10, mark: 'abc-1' };
const family: ProcessEntry[] = [
  { pid: 10, parent: 1, group: 10, mark: 'abc-1' },
  { pid: 11, parent: 1, group: 11, mark: 'abc-1' },
  { pid: 12, parent: 1, group: 12, mark: '' },
];

describe.each(['linux', 'darwin'] as const)('on %s', (platform) => {
  test('a child has its own group, and both signals have a meaning', () => {
    const control = processControl(platform);
    expect(control).toMatchObject({ ownGroup: true, hasShell: true, signals: ['SIGTERM', 'SIGKILL'] });
  });

  test('processes are found in the process list and signalled one by one, even if some are gone', async () => {
    const killed: string[] = [];
    const control = processControl(platform, {
      readTable: async () => family,
      kill: (pid, signal) => {
        killed.push(`${signal} ${pid}`);
        if (pid === 10) throw new Error('ESRCH');
      },
    });
    expect(await control.find(child)).toEqual([10, 11]);
    await control.signal([10, 11], 'SIGTERM');
    expect(killed).toEqual(['SIGTERM 10', 'SIGTERM 11']);
  });
});

test('macOS reads its process list from ps', async () => {
  const control = processControl('darwin', {
    run: async (file) => (file === '/bin/ps' ? ' 10 1 10 S cli COXSWAIN_MARK=abc-1\n' : ''),
  });
  expect(await control.find(child)).toEqual([10]);
});

test('callers in one round share one scan of the list; a caller during it gets a new one', async () => {
  let readings = 0;
  const begun = deferred<void>();
  const done = deferred<void>();
  const asked: (readonly unknown[])[] = [];
  const control = processControl('linux', {
    readTable: async (children) => {
      readings += 1;
      asked.push(children);
      begun.resolve();
      await done.promise;
      return family;
    },
  });
  const first = control.find(child);
  await Promise.resolve();
  const second = control.find({ ...child, pid: 11 });
  await begun.promise;
  const late = [control.find(child), control.find(child)];
  expect(readings).toBe(1);
  done.resolve();
  await Promise.all([first, second, ...late]);
  expect(readings).toBe(2);
  expect(asked).toEqual([
    [child, { ...child, pid: 11 }],
    [child, child],
  ]);
});

test('if the list cannot be read, the group is found and signalled as a whole', async () => {
  const killed: string[] = [];
  let running = true;
  const control = processControl('linux', {
    readTable: async () => {
      throw new Error('no /proc');
    },
    kill: (pid, signal) => {
      if (!running) throw new Error('ESRCH');
      killed.push(`${signal} ${pid}`);
    },
  });
  expect(await control.find(child)).toEqual([-10]);
  await control.signal([-10], 'SIGTERM');
  expect(killed).toEqual(['0 -10', 'SIGTERM -10']);
  running = false;
  expect(await control.find(child)).toEqual([]);
});

describe('on Windows', () => {
  const asked: string[] = [];
  const control = processControl('win32', {
    kill: (pid) => {
      if (pid !== 10) throw new Error('ESRCH');
    },
    run: async (file, args) => {
      asked.push([file, ...args].join(' '));
      return '';
    },
  });

  test('there is no separate group, which would open a window, and no SIGTERM', () => {
    expect(control).toMatchObject({ ownGroup: false, hasShell: false, signals: ['SIGKILL'] });
  });

  test('the tree of a running child is ended with taskkill', async () => {
    expect(await control.find(child)).toEqual([10]);
    expect(await control.find({ pid: 99, mark: 'x' })).toEqual([]);
    await control.signal([10], 'SIGKILL');
    expect(asked).toEqual([expect.stringMatching(/\\System32\\taskkill\.exe \/PID 10 \/T \/F$/)]);
  });

  test('the id of an exited child may belong to another process, which is left alone', async () => {
    expect(await control.find({ ...child, hasExited: () => true })).toEqual([]);
  });
});
