import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import {
  checkOptions,
  either,
  isRecord,
  kinds,
  listOf,
  OptionError,
  type OptionKind,
  oneOf,
  pickOptions,
  recordOf,
} from '../../../../src/wire/util/option-checks.js';

const spec = (kind: OptionKind) => ({ kind, sentence: 'Does something.' });
const specs = {
  model: spec(kinds.text),
  maxTurns: spec(kinds.positiveCount),
  permissionMode: spec(oneOf('plan', 'default')),
};

function problemOf(given: object): OptionError {
  try {
    checkOptions(specs, given);
  } catch (error) {
    if (error instanceof OptionError) return error;
  }
  throw new Error('nothing was refused');
}

describe('checkOptions', () => {
  test('accepts valid options, and treats undefined as not given', () => {
    expect(() => checkOptions(specs, { model: 'x', maxTurns: 3 })).not.toThrow();
    expect(() => checkOptions(specs, { model: undefined })).not.toThrow();
    expect(() => checkOptions(specs, {})).not.toThrow();
  });

  test('names the option, what it must be and what it was', () => {
    const error = problemOf({ maxTurns: '3' });
    expect(error).toBeInstanceOf(CoxswainError);
    expect(error).toMatchObject({ code: 'OPTION_INVALID', option: 'maxTurns' });
    expect(error.message).toBe('Option "maxTurns" must be a whole number above 0, not "3".');
  });

  test.each([
    ['permisionMode', 'permissionMode'],
    ['max_turns', 'maxTurns'],
    ['Model', 'model'],
  ])('an unknown name %s is refused with a suggestion', (wrong, meant) => {
    const error = problemOf({ [wrong]: 1 });
    expect(error.option).toBe(wrong);
    expect(error.message).toContain(`Did you mean "${meant}"?`);
  });

  test('a name like no other gets no suggestion, and inherited names are unknown too', () => {
    expect(problemOf({ zzzzzz: 1 }).message).toBe('There is no option "zzzzzz".');
    expect(problemOf({ toString: 1 }).option).toBe('toString');
  });

  test.each([null, 'text', 7, [], new Map()])('refuses %s instead of the options', (given) => {
    expect(() => checkOptions(specs, given as unknown as object)).toThrow(OptionError);
  });

  test('rules about several options run after the types were checked', () => {
    const rule = {
      option: 'maxTurns',
      problem: ({ model }: { model?: string }) => (model?.startsWith('x') ? 'not with x.' : undefined),
    };
    expect(() => checkOptions(specs, { model: 'xy' }, [rule])).toThrow('Option "maxTurns": not with x.');
    expect(() => checkOptions(specs, { model: 'a' }, [rule])).not.toThrow();
  });

  test('the description of a wrong value hides objects and truncates long texts', () => {
    expect(problemOf({ model: { key: 'hidden' } }).message).toContain('not an object.');
    expect(problemOf({ permissionMode: 'y'.repeat(500) }).message.length).toBeLessThan(150);
  });
});

test.each<[keyof typeof kinds, unknown[], unknown[]]>([
  ['text', ['a'], ['', 1, null]],
  ['anyText', ['', 'a'], [1]],
  ['flag', [true, false], ['true', 0]],
  ['count', [0, 5], [-1, 1.5, Number.NaN, '1']],
  ['positiveCount', [1], [0, Number.POSITIVE_INFINITY]],
  ['positiveNumber', [0.5], [0, -1, Number.NaN, Number.POSITIVE_INFINITY]],
  ['uuid', ['11111111-1111-4111-8111-111111111111'], ['nope', 1]],
  ['callback', [() => {}], [{}]],
  ['record', [{}, Object.create(null)], [[], null, new Map(), new Date()]],
])('the kind %s', (name, good, bad) => {
  for (const value of good) expect(kinds[name].accepts(value)).toBe(true);
  for (const value of bad) expect(kinds[name].accepts(value)).toBe(false);
});

test('kinds can be combined', () => {
  expect(listOf(kinds.text).accepts(['a', ''])).toBe(false);
  expect(listOf(kinds.text).accepts('a')).toBe(false);
  expect(recordOf(kinds.flag).accepts({ a: true })).toBe(true);
  expect(recordOf(kinds.flag).accepts({ a: 1 })).toBe(false);
  expect(either(kinds.flag, kinds.text).expected).toBe('true or false, or a string that is not empty');
  expect(isRecord(runInNewContext('({})'))).toBe(true);
});

test('picks the options that a table knows', () => {
  const picked = pickOptions(specs, { model: 'x', maxTurns: undefined, other: 1 });
  expect(picked).toEqual({ model: 'x' });
  expect(Object.keys(picked)).toEqual(['model']);
});
