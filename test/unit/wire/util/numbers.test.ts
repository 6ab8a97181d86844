import { expect, test } from 'vitest';
import { count, dollars, duration, mebibytes, wholeSeconds } from '../../../../src/wire/util/numbers.js';

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms is shown as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [999, '0 s'],
  [59_999, '59 s'],
  [61_000, '1 min 1 s'],
])('%d ms of waiting is shown as %s', (ms, text) => {
  expect(wholeSeconds(ms)).toBe(text);
});

test.each([
  [999, '999'],
  [1_000, '1.0k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
])('%d tokens are shown as %s', (value, text) => {
  expect(count(value)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.00034, '$0.0003'],
  [12.345, '$12.35'],
])('%d dollars are shown as %s', (value, text) => {
  expect(dollars(value)).toBe(text);
});

test('memory is shown in a suitable unit', () => {
  expect([0, 4_321, 312.4 * 1024 ** 2, 1_023 * 1024 ** 2, 1.44 * 1024 ** 3].map(mebibytes)).toEqual([
    '0 KiB',
    '5 KiB',
    '312 MiB',
    '1023 MiB',
    '1.4 GiB',
  ]);
});
