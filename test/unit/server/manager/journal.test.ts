import { constants } from 'node:buffer';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { lockFolder } from '../../../../src/server/manager/store/folder-lock.js';
import { Journal } from '../../../../src/server/manager/store/journal.js';
import { storeFolder } from '../../../support/manager.js';

const MEGABYTE = 2 ** 20;

test('stores values, the last of each key', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path);
  journal.set('a', { n: 1 });
  journal.set('b', 'x');
  journal.set('a', { n: 2 });
  journal.set('b', undefined);
  expect([...new Journal(path).values]).toEqual([['a', { n: 2 }]]);
});

test('a file that a crash truncated at any byte has everything written before', () => {
  const folder = storeFolder();
  const path = join(folder, 'whole.jsonl');
  const journal = new Journal(path);
  for (const key of ['a', 'b', 'ü']) journal.set(key, `value of ${key}`);
  const whole = readFileSync(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const torn = join(folder, 'torn.jsonl');
    writeFileSync(torn, whole.subarray(0, cut));
    const again = new Journal(torn);
    const kept = Math.max(0, ends.filter((end) => end <= cut).length - 1);
    expect(again.values.size).toBe(kept);
    again.set('next', 1);
    expect(new Journal(torn).values.size).toBe(kept + 1);
  }
});

test('obsolete lines are removed in time', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path);
  for (let n = 0; n < 25_000; n += 1) journal.set('same', n);
  expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(10_010);
  expect(new Journal(path).values.get('same')).toBe(24_999);
});

test('obsolete lines are removed in time when there are few of them, but long ones', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path);
  const image = 'A'.repeat(2 * MEGABYTE);
  journal.set('first', 1);
  for (let n = 0; n < 40; n += 1) {
    journal.set(`message/${n}`, image);
    journal.set(`message/${n}`, undefined);
    expect(statSync(path).size).toBeLessThan(70 * MEGABYTE);
  }
  expect([...new Journal(path).values]).toEqual([['first', 1]]);
});

test('long lines that still count are not written again with each change', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  let rewrites = 0;
  const journal = new Journal(path, (from, to) => {
    rewrites += 1;
    renameSync(from, to);
  });
  for (let n = 0; n < 40; n += 1) journal.set(`message/${n}`, 'A'.repeat(2 * MEGABYTE));
  for (let n = 0; n < 1_000; n += 1) journal.set('same', n);
  journal.close();
  // The first one creates the file.
  expect(rewrites).toBe(2);
  expect(new Journal(path).values.size).toBe(41);
});

test('a file that is longer than the longest string is read, and shortened', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  new Journal(path).set('a', 1);
  // Lines of zeros that are not on the disk: only their ends are written.
  const file = openSync(path, 'r+');
  for (let n = 1; n <= 70; n += 1) writeSync(file, '\n', 8 * n * MEGABYTE);
  closeSync(file);
  appendFileSync(path, '{"key":"b","value":2}\n');
  expect(statSync(path).size).toBeGreaterThan(constants.MAX_STRING_LENGTH);
  const journal = new Journal(path);
  expect(journal.unreadable).toBe(70);
  expect(statSync(path).size).toBeLessThan(1_000);
  journal.set('c', 3);
  expect([...new Journal(path).values]).toEqual(Object.entries({ a: 1, b: 2, c: 3 }));
});

/** Renames as Windows does: not over an open file. */
function renameLikeWindows(from: string, to: string): void {
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  if (open.includes(to)) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  renameSync(from, to);
}

test.runIf(process.platform === 'linux')('they are removed even if an open file cannot be replaced', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path, renameLikeWindows);
  for (let n = 0; n < 25_000; n += 1) journal.set('same', n);
  expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(10_010);
  journal.close();
  expect(new Journal(path).values.get('same')).toBe(24_999);
});

test('a file that cannot be replaced continues unchanged, and is retried later', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  new Journal(path).close();
  let tries = 0;
  const journal = new Journal(path, () => {
    tries += 1;
    throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
  });
  for (let n = 0; n < 25_000; n += 1) journal.set('same', n);
  journal.close();
  expect(tries).toBe(2);
  expect(new Journal(path).values.get('same')).toBe(24_999);
});

test('a foreign file, or one of a newer version, is left unchanged', () => {
  const folder = storeFolder();
  for (const [text, code] of [
    ['hello\n', 'STORE_INVALID'],
    ['{"format":"coxswain-manager","version":2}\n', 'STORE_TOO_NEW'],
  ] as const) {
    const path = join(folder, 'journal.jsonl');
    writeFileSync(path, text);
    expect(() => new Journal(path)).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

test('an unreadable line loses only that line', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  new Journal(path).set('a', 1);
  appendFileSync(path, 'not json\n');
  appendFileSync(path, '{"key":"b","value":2}\n');
  expect([...new Journal(path).values]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('a folder is locked while its process runs, and taken over after it', () => {
  const folder = storeFolder();
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'STORE_IN_USE' }));
  unlock();
  // No process has this id: the kernel's limit is lower.
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1 }));
  const again = lockFolder(folder);
  again();
  writeFileSync(join(folder, 'lock'), 'torn');
  lockFolder(folder)();
});

test('a folder that cannot be created is refused with its name', () => {
  const file = join(storeFolder(), 'file');
  writeFileSync(file, '');
  expect(() => lockFolder(file)).toThrow(expect.objectContaining({ code: 'STORE_FAILED' }));
  expect(() => lockFolder(file)).toThrow(file);
});

test('a value that need not outlive the process is written with the next change of its key, and at the end', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path);
  journal.set('a', 1);
  journal.remember('a', 2);
  expect(journal.values.get('a')).toBe(2);
  expect(new Journal(path).values.get('a')).toBe(1);
  journal.close();
  expect(new Journal(path).values.get('a')).toBe(2);
});

test('a closed store says so instead of naming its file', () => {
  const journal = new Journal(join(storeFolder(), 'journal.jsonl'));
  journal.close();
  expect(() => journal.set('a', 1)).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
});

test('lines that cannot be read are counted and skipped', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  const journal = new Journal(path);
  journal.set('a', 1);
  appendFileSync(path, '{"key":"b","val\n5\n{"value":1}\n');
  journal.set('c', 3);
  const again = new Journal(path);
  expect([...again.values]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
  expect(again.unreadable).toBe(3);
});

test('a file with nothing but a torn line counts as damaged, and a foreign one is left alone', () => {
  const path = join(storeFolder(), 'journal.jsonl');
  writeFileSync(path, '{"format":"coxswain-man');
  expect(new Journal(path).unreadable).toBe(1);
  const foreign = join(storeFolder(), 'notes.txt');
  writeFileSync(foreign, 'my notes');
  expect(() => new Journal(foreign)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }));
  expect(readFileSync(foreign, 'utf8')).toBe('my notes');
});

test('a store that cannot be written says why', () => {
  const file = join(storeFolder(), 'file');
  writeFileSync(file, '');
  expect(() => lockFolder(join(file, 'store'))).toThrow(/could not be created: .*ENOTDIR/);
  expect(() => new Journal(join(file, 'journal.jsonl'))).toThrow(/could not be written: .*ENOTDIR/);
});

test('another process never sees an empty lock', async () => {
  const folder = storeFolder();
  const reads = `
    const { readFileSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const isDone = new Int32Array(workerData.done);
    let empty = 0;
    parentPort.postMessage('ready');
    while (Atomics.load(isDone, 0) === 0) {
      try { if (readFileSync(workerData.path, 'utf8') === '') empty += 1; } catch {}
    }
    parentPort.postMessage(empty);`;
  const done = new SharedArrayBuffer(4);
  const worker = new Worker(reads, { eval: true, workerData: { path: join(folder, 'lock'), done } });
  await once(worker, 'message');
  for (let n = 0; n < 2_000; n += 1) lockFolder(folder)();
  Atomics.store(new Int32Array(done), 0, 1);
  const [empty] = await once(worker, 'message');
  expect(empty).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});
