import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { pathSpellings } from '../../../../src/wire/files/path-spellings.js';
import { normalise, pathsFor } from '../../../../src/wire/trace/analysis/normalise.js';
import { makeRedactor } from '../../../../src/wire/trace/redact/redactor.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'spellings-')));
const [real, link] = [join(root, 'private', 'var', 'folders'), join(root, 'var')];
mkdirSync(real, { recursive: true });
symlinkSync(real, link);
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

test('a folder behind a link has both paths, like the temporary folder on macOS', () => {
  const redact = makeRedactor({ env: {}, home: '/home/me', tmp: link, user: '' });
  expect(redact(`{"a":"${link}/x","b":"${real}/x"}`)).toBe('{"a":"<tmp>/x","b":"<tmp>/x"}');
  vi.stubEnv('TMPDIR', link);
  const paths = pathsFor(undefined);
  expect(normalise({ a: `${link}/x`, b: `${real}/x` }, { paths })).toEqual({ a: '<tmp>/x', b: '<tmp>/x' });
});

test('on Windows, slashes work too', () => {
  const spellings = pathSpellings('C:\\Users\\me', 'win32');
  expect(spellings).toContain('C:/Users/me');
  expect(spellings).toContain('C:\\Users\\me');
  expect(pathSpellings('/a\\b', 'linux')).toEqual(['/a\\b']);
});
