import { expect, test } from 'vitest';
import { FileLines } from '../../../../src/wire/trace/read/file-lines.js';

const TOO_LONG = '(a line that is too long)';

test('every line counts, including those that are too long and a last one without a newline', () => {
  const lines = new FileLines(5);
  expect(lines.push(Buffer.from('far too long\na\nb'))).toEqual(['a', TOO_LONG]);
  expect(lines.push(Buffer.from('c\n\n'))).toEqual(['bc', '']);
  expect(lines.push(Buffer.from('cut off, but'))).toEqual([]);
  expect(lines.push(Buffer.from(' too long'))).toEqual([]);
  expect(lines.flush()).toEqual([TOO_LONG]);
  expect(lines.flush()).toEqual([]);
});
