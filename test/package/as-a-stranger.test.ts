import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { findNodes, firstCommands, smallPath } from '../../scripts/lib/as-a-stranger.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-stranger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the README has the two commands that are tried', () => {
  expect(firstCommands(readFileSync('README.md', 'utf8'))).toEqual([
    'npm ci && npm run demo',
    'npm ci && npm test',
  ]);
  expect(() => firstCommands('# Nothing to try')).toThrow('no commands');
});

test('a Node that is missing is named, and so are all of them', () => {
  expect(() => findNodes(folder)).toThrow('Node 20, 22, 24, 26');
  for (const major of ['20', '22', '26']) {
    const bin = join(folder, 'node_modules', `node-${major}-${process.platform}-${process.arch}`, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), '');
  }
  expect(() => findNodes(folder)).toThrow(/: Node 24\.$/);
});

test('a small PATH has a shell, git and npm, and nothing else that this machine has', () => {
  const bin = join(folder, 'bin');
  const path: string = smallPath(bin, process.execPath);
  expect(path.split(delimiter)).toEqual([dirname(process.execPath), bin]);
  const names = readdirSync(bin);
  expect(names).toEqual(expect.arrayContaining(['git', 'npm', 'sh']));
  expect(names.filter((name) => /chrom|firefox|nats|zsh|fish|python/.test(name))).toEqual([]);
  const version = execFileSync('sh', ['-c', 'git --version && npm --version'], { env: { PATH: path } });
  expect(String(version)).toMatch(/^git version .*\n\d+\./);
});
