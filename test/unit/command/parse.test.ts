import { expect, test } from 'vitest';
import {
  parseCount,
  parseDuration,
  parseMoment,
  parseMoney,
  parseSources,
} from '../../../src/command/parse.js';

test.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['1.5m', 90_000],
  ['1h', 3_600_000],
  ['2d', 172_800_000],
  ['250ms', 250],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '0', '-1', 'soon', '1w', '5 m', 'Infinity'])('"%s" is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow('It must be a time above 0');
});

test('a count is a whole number above 0', () => {
  expect(parseCount('12')).toBe(12);
  for (const text of ['0', '-1', '1.5', 'x', '']) expect(() => parseCount(text)).toThrow('whole number');
});

test('money is a number above 0', () => {
  expect(parseMoney('0.25')).toBe(0.25);
  for (const text of ['0', '-1', 'x', '']) expect(() => parseMoney(text)).toThrow('above 0');
});

test('sources are a list, which may be empty', () => {
  expect(parseSources('user, local')).toEqual(['user', 'local']);
  expect(parseSources('')).toEqual([]);
  expect(() => parseSources('user,global')).toThrow('"global" is none of user, project, local.');
});

test.each([
  ['0', 0],
  ['0s', 0],
  ['1.5s', 1_500],
])('%s is a time', (text, ms) => {
  expect(parseMoment(text)).toBe(ms);
});

test.each(['-1', ''])('%j is not a time', (text) => {
  expect(() => parseMoment(text)).toThrow('It must be a time');
});
