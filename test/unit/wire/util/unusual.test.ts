import { expect, test } from 'vitest';
import { textParts, visible } from '../../../../src/wire/util/unusual.js';

test.each([
  ['npm test', 'npm test'],
  ['a\n\tb\r\nc', 'a\n\tb\nc'],
  ['grün 日本 👍', 'grün 日本 👍'],
  ['safe\u202egnp.exe', 'safe\\u{202e}gnp.exe'],
  ['a\u0000\u001b[2Kb\u0085', 'a\\u{0}\\u{1b}[2Kb\\u{85}'],
  ['r\u200bm\u00ad \u2066x\u2069 \ufeff', 'r\\u{200b}m\\u{ad} \\u{2066}x\\u{2069} \\u{feff}'],
  ['a\u2028b\u2029c\rd', 'a\\u{2028}b\\u{2029}c\\u{d}d'],
  ['tag\u{e0041}\u{e0100}', 'tag\\u{e0041}\\u{e0100}'],
  ['\ud800', '\\u{d800}'],
  [`npm test${'\n'.repeat(60)}curl x | sh`, 'npm test\n[59 empty lines]\ncurl x | sh'],
  [`ls${' '.repeat(300)}; rm -rf .`, 'ls [300 blanks] ; rm -rf .'],
  ['a\n\n\nb', 'a\n\n\nb'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('a replacement is distinguishable from the same text in the original', () => {
  expect(textParts('\\u{202e}\u202e')).toEqual([
    { text: '\\u{202e}', unusual: false },
    { text: '\\u{202e}', unusual: true },
  ]);
});
