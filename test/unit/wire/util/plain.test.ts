import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plain, plainLine } from '../../../../src/wire/util/plain.js';

test('untrusted text cannot move the cursor, colour anything or change its direction', () => {
  expect(plain('a\u001b[2J\u0007b\u009bc\u202ed\re')).toBe('a\\x1b[2J\\x7b\\x9bc\\x202ed\\xde');
});

test('newlines and tabs stay, and Windows newlines become newlines', () => {
  expect(plain('a\tb\nc\r\nd')).toBe('a\tb\nc\nd');
});

test('on one line it has no newlines and a limited length', () => {
  expect(plainLine('  a\n\n b\t c ')).toBe('a b c');
  expect(plainLine('x'.repeat(300), 10)).toBe('xxxxxxx...');
});

test('whatever comes in, no terminal control goes out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must be gone
      expect(plain(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(plainLine(text, 50).length).toBeLessThanOrEqual(50);
    }),
  );
});
