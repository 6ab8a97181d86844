import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeLongValues } from '../../../../../src/host/cli/options/long-values.js';
import { OptionError } from '../../../../../src/wire/util/option-checks.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'long-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const long = JSON.stringify({ text: 'ü'.repeat(100_000) });

test('a long value is passed in a file that only its owner can read', () => {
  const folder = join(root, 'private');
  const [argument] = placeLongValues([{ flag: '--settings', value: long, fileWhenLong: true }], folder);
  const path = argument?.value ?? '';
  expect(path.startsWith(folder)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(long);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a short value stays on the command line, and no folder is created', () => {
  const folder = join(root, 'private');
  const short = { flag: '--settings', value: '{}', fileWhenLong: true };
  expect(placeLongValues([short, { flag: '--verbose' }], folder)).toEqual([short, { flag: '--verbose' }]);
  expect(existsSync(folder)).toBe(false);
});

test('two long values get a file each', () => {
  const argument = { flag: '--mcp-config', value: long, fileWhenLong: true };
  const [one, two] = placeLongValues([argument, argument], root);
  expect(one?.value).not.toBe(two?.value);
});

test('a value that is too long and cannot be a file is refused by its flag', () => {
  expect(() => placeLongValues([{ flag: '--json-schema', value: long }], root)).toThrow(OptionError);
  expect(() => placeLongValues([{ flag: '--json-schema', value: long }], root)).toThrow(/--json-schema/);
});

test('Windows accepts less, and counts all arguments together', () => {
  const args = ['--system-prompt', '--append-system-prompt'].map((flag) => ({
    flag,
    value: 'x'.repeat(20_000),
  }));
  expect(placeLongValues(args, root, 'linux')).toEqual(args);
  expect(placeLongValues(args.slice(1), root, 'win32')).toEqual(args.slice(1));
  expect(() => placeLongValues(args, root, 'win32')).toThrow(/--append-system-prompt with 20026/);
});
