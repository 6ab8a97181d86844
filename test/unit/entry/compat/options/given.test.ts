import { expect, test } from 'vitest';
import { givenOptions } from '../../../../../src/entry/compat/options/given.js';
import type { Options } from '../../../../../src/entry/compat/types/option-types.js';

test('treats null as not given, and keeps everything else', () => {
  const options = { model: null, cwd: '', maxTurns: 0, continue: false } as unknown as Options;
  expect(givenOptions(options)).toEqual({ cwd: '', maxTurns: 0, continue: false });
});

test.each([undefined, null])('treats %s as no options', (options) => {
  expect(givenOptions(options)).toEqual({});
});
