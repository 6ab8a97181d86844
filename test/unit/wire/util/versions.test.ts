import { expect, test } from 'vitest';
import { compareVersions, findVersion } from '../../../../src/wire/util/versions.js';

test('orders versions by their numbers, not as text', () => {
  const sorted = ['2.1.326', '2.0.73', '2.1.17', '2.1.9'].sort(compareVersions);
  expect(sorted).toEqual(['2.0.73', '2.1.9', '2.1.17', '2.1.326']);
  expect(compareVersions('2.1', '2.1.0')).toBe(0);
  expect(compareVersions('2.1.17-beta.2', '2.1.17')).toBe(0);
});

test('finds a version in a program’s output', () => {
  expect(findVersion('2.1.326 (Claude Code)\n')).toBe('2.1.326');
  expect(findVersion('v2.0.73')).toBe('2.0.73');
  expect(findVersion('2.2.0-beta.1')).toBe('2.2.0-beta.1');
  expect(findVersion('no version here 12')).toBeUndefined();
});
