import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type CamelKeys, camelKeys } from '../../../../src/wire/util/camel-keys.js';

describe('camelKeys', () => {
  test.each([
    ['still_queued', 'stillQueued'],
    ['total_api_duration_ms', 'totalApiDurationMs'],
    ['mcpServers', 'mcpServers'],
    ['_meta', '_meta'],
    ['_meta_data', '_metaData'],
    ['trailing_', 'trailing_'],
    ['part_2', 'part2'],
    ['__proto__', '__proto__'],
  ])('names %s as %s', (key, camel) => {
    expect(Object.entries(camelKeys(JSON.parse(`{"${key}":1}`)))).toEqual([[camel, 1]]);
  });

  test('leaves deeper levels alone, because their keys are names of servers and models', () => {
    const errors = { my_server: 'cannot connect' };
    const list = [{ file_id: 1 }];
    const answer = camelKeys({ set_errors: errors, the_list: list });
    expect(answer.setErrors).toBe(errors);
    expect(answer.theList).toBe(list);
  });

  test('keeps a key unchanged if its new name is taken', () => {
    expect(camelKeys({ error_count: 1, errorCount: 2 })).toEqual({ error_count: 1, errorCount: 2 });
  });

  test('loses no value, whatever the keys, and leaves the given object unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[abB_]{1,6}$/), fc.integer()), (value) => {
        const before = { ...value };
        expect(Object.values(camelKeys(value)).toSorted()).toEqual(Object.values(before).toSorted());
        expect(value).toEqual(before);
      }),
    );
  });

  test('is typed, and keeps optional and unknown keys', () => {
    expectTypeOf<CamelKeys<{ still_queued?: string[]; _meta: 1; mode: 'a' }>>().toEqualTypeOf<{
      stillQueued?: string[];
      _meta: 1;
      mode: 'a';
    }>();
    expectTypeOf<CamelKeys<{ [key: string]: unknown; a_b: 1 }>>().toEqualTypeOf<{
      [key: string]: unknown;
      aB: 1;
    }>();
  });
});
