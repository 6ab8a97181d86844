import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NeedleFinder } from '../../../../src/wire/trace/redact/rules.js';

test('finds the same rules as a search for every needle, in order', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 });
  const rules = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(
      rules,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 20 }),
      (lists, text) => {
        const all = lists.map((needles) => ({ needles, apply: (line: string) => line }));
        const expected = all.filter(({ needles }) => needles.some((needle) => text.includes(needle)));
        expect(new NeedleFinder(all).find(text)).toEqual(expected);
      },
    ),
  );
});
