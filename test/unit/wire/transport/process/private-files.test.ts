import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeLeftovers, writePrivate } from '../../../../../src/wire/transport/process/private-files.js';

let tmp: string;
beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), 'leftovers-'));
});
afterEach(() => rmSync(tmp, { recursive: true }));

const shift = (digit: string) => join(tmp, `coxswain-${digit.repeat(32)}`);
const remove = (folder: string) => rmSync(folder, { recursive: true });

/** Writes a private file, and says that another process did. */
function writtenBy(owner: object, digit: string): string {
  writePrivate(join(shift(digit), '1'), 'settings.json', '{}');
  const file = join(shift(digit), 'owner.json');
  const own: object = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...own, ...owner }));
  return shift(digit);
}

test('the private files of a host that is gone are removed, those of a running one stay', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const dead = writtenBy({ pid: gone }, 'a');
  const reused = writtenBy({ started: '1' }, 'b');
  const running = writtenBy({}, 'c');
  removeLeftovers(tmp, remove);
  expect([dead, reused, running].map((folder) => existsSync(folder))).toEqual([false, false, true]);
});

test('a folder that may be in use elsewhere stays: of another namespace, without an owner, with another name', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const elsewhere = writtenBy({ pid: gone, namespace: 'pid:[1]' }, 'a');
  mkdirSync(shift('b'));
  const damaged = writtenBy({}, 'c');
  writeFileSync(join(damaged, 'owner.json'), '{');
  const other = join(tmp, 'coxswain-mine');
  mkdirSync(other);
  removeLeftovers(tmp, remove);
  expect([elsewhere, shift('b'), damaged, other].every((folder) => existsSync(folder))).toBe(true);
});

test('a folder for temporary files that does not exist has no leftovers', () => {
  expect(() => removeLeftovers(join(tmp, 'none'), remove)).not.toThrow();
});
