import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askedLaunch } from '../../../../../src/host/cli/options/asked-launch.js';
import { placePrivateValues, reportExposed } from '../../../../../src/host/cli/options/private-values.js';
import type { Diagnostic } from '../../../../../src/wire/util/diagnostics.js';
import { OptionError } from '../../../../../src/wire/util/option-checks.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const long = JSON.stringify({ text: 'ü'.repeat(100_000) });

test('a value that the CLI accepts in a file is passed in one that only its owner can read, however short it is', () => {
  const folder = join(root, 'host', 'private');
  for (const value of ['{"env":{"KEY":"s"}}', long]) {
    const [argument] = placePrivateValues([{ flag: '--settings', value, takesFile: true }], folder);
    const path = argument?.value ?? '';
    expect(path.startsWith(folder)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(value);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const each of [folder, join(root, 'host')]) expect(statSync(each).mode & 0o777).toBe(0o700);
    rmSync(folder, { recursive: true });
  }
});

test('without such a value no folder is created', () => {
  const folder = join(root, 'private');
  const args = [{ flag: '--model', value: 'sonnet' }, { flag: '--verbose' }];
  expect(placePrivateValues(args, folder)).toEqual(args);
  expect(existsSync(folder)).toBe(false);
});

test('a value with secrets that has to stay on the command line is reported by its flag, without the value', () => {
  const reported: Diagnostic[] = [];
  const args = [
    { flag: '--managed-settings', value: '{"env":{"KEY":"s3cret"}}', secret: true },
    { flag: '--settings', value: '{}', takesFile: true, secret: true },
    { flag: '--model', value: 'sonnet' },
  ];
  reportExposed(placePrivateValues(args, join(root, 'private')), 'CLI 2.1.326', (each) =>
    reported.push(each),
  );
  expect(reported).toMatchObject([{ code: 'SECRET_IN_ARGUMENTS', flag: '--managed-settings' }]);
  expect(reported[0]?.message).toContain('CLI 2.1.326');
  expect(JSON.stringify(reported)).not.toContain('s3cret');
});

test('two values get a file each', () => {
  const argument = { flag: '--mcp-config', value: long, takesFile: true };
  const [one, two] = placePrivateValues([argument, argument], join(root, 'private'));
  expect(one?.value).not.toBe(two?.value);
});

test('a value that is too long and cannot be a file is refused by its flag', () => {
  expect(() => placePrivateValues([{ flag: '--json-schema', value: long }], root)).toThrow(OptionError);
  expect(() => placePrivateValues([{ flag: '--json-schema', value: long }], root)).toThrow(/--json-schema/);
});

test('Windows accepts less, and counts all arguments together', () => {
  const args = ['--system-prompt', '--append-system-prompt'].map((flag) => ({
    flag,
    value: 'x'.repeat(20_000),
  }));
  expect(placePrivateValues(args, root, 'linux')).toEqual(args);
  expect(placePrivateValues(args.slice(1), root, 'win32')).toEqual(args.slice(1));
  expect(() => placePrivateValues(args, root, 'win32')).toThrow(/--append-system-prompt with 20026/);
});

test('a file of a flag that takes only a path is refused with a custom transport, which gets no files', () => {
  const launched = (name: string) => () => askedLaunch({ extraArgs: { [name]: { privateFile: '{}' } } });
  expect(launched('some-flag')).toThrow(/extraArgs.some-flag: a custom transport gets no private files/);
  expect(launched('settings')().arguments.join(' ')).toContain('{}');
});
