import { expect, test } from 'vitest';
import { asText } from '../../../../src/wire/util/as-text.js';

test.each([
  ['text', 'text'],
  [7, '7'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ toString: {} }, '{"toString":{}}'],
  [[{ valueOf: 1, toString: 2 }], '[{"valueOf":1,"toString":2}]'],
])('%j is written as %j', (value, text) => {
  expect(asText(value)).toBe(text);
});
