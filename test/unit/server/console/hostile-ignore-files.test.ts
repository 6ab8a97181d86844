import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { walkFiles } from '../../../../src/server/console/files/walk.js';

function folderWith(ignored: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-walk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.gitignore'), ignored);
  return folder;
}

test('An ignore file with patterns that backtrack for hours does not stop the server', async () => {
  const folder = folderWith(`${'**/a/'.repeat(6)}zz\n${'*[ab]'.repeat(30)}zz\nhidden.txt\n`);
  const deep = join(folder, 'a/'.repeat(200));
  mkdirSync(deep, { recursive: true });
  for (const name of ['seen.txt', 'hidden.txt', `zz${'a'.repeat(240)}`])
    writeFileSync(join(folder, name), '');
  const found = await walkFiles(folder, 1_000);
  expect(found.toSorted()).toEqual(['.gitignore', 'seen.txt', `zz${'a'.repeat(240)}`]);
});

test('Usual patterns still apply', async () => {
  const folder = folderWith('**/build/**\n*.s[a-w][a-z]\n/only-here\n');
  for (const name of ['a/build/b', 'a/only-here']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['a/build/b/c', 'a/only-here/d', '.x.swp', 'e']) writeFileSync(join(folder, name), '');
  expect((await walkFiles(folder, 1_000)).toSorted()).toEqual(['.gitignore', 'a/only-here/d', 'e']);
});

test('Looking for files ends when it takes too long', async () => {
  const folder = folderWith('x');
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'b'), '');
  let now = 0;
  const slow = () => {
    now += 2_000;
    return now;
  };
  expect(await walkFiles(folder, 1_000, slow)).not.toContain('a/b');
});
