import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../../src/wire/protocol/framing.js';

function splitAll(chunks: readonly string[], splitter = new LineSplitter()): string[] {
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.flush()];
}

/** Cuts a text at the given positions. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

const text = fc
  .array(fc.constantFrom('a', '{"x":1}', '\n', '\r', '\u2028', '\u2029', 'é', '😀', ''))
  .map((parts) => parts.join(''));

describe('LineSplitter', () => {
  test('yields the same lines however the text is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(500)), (whole, places) => {
        expect(splitAll(cut(whole, places))).toEqual(splitAll([whole]));
      }),
    );
  });

  test('yields exactly the text between newlines, without an empty last line', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(splitAll([whole])).toEqual(expected);
      }),
    );
  });

  test('skips a line over the limit, reports its length, and continues', () => {
    const tooLong: number[] = [];
    const splitter = new LineSplitter({ maxLength: 10, onTooLong: (length) => tooLong.push(length) });
    const lines = splitAll(
      ['ok\n', 'x'.repeat(8), 'y'.repeat(8), `z\nnext\n${'w'.repeat(30)}\nlast`],
      splitter,
    );
    expect(lines).toEqual(['ok', 'next', 'last']);
    expect(tooLong).toEqual([17, 30]);
  });

  test('reports the same skipped lengths however the text is cut', () => {
    const run = (chunks: readonly string[]) => {
      const tooLong: number[] = [];
      const splitter = new LineSplitter({ maxLength: 3, onTooLong: (length) => tooLong.push(length) });
      return { lines: splitAll(chunks, splitter), tooLong };
    };
    fc.assert(
      fc.property(text, fc.array(fc.nat(500)), (whole, places) => {
        expect(run(cut(whole, places))).toEqual(run([whole]));
      }),
    );
  });

  test('skips a last line over the limit that has no newline', () => {
    const tooLong: number[] = [];
    const splitter = new LineSplitter({ maxLength: 3, onTooLong: (length) => tooLong.push(length) });
    expect(splitAll(['ab', 'cd'], splitter)).toEqual([]);
    expect(tooLong).toEqual([4]);
  });

  test('joins a 50 MB line that arrives in many pieces, each kept once', () => {
    const splitter = new LineSplitter();
    const piece = 'p'.repeat(64 * 1024);
    for (let index = 0; index < 800; index += 1) expect(splitter.push(piece)).toEqual([]);
    const [line] = splitter.push('\n');
    expect(line?.length).toBe(800 * piece.length);
  });
});
