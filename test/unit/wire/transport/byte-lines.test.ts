import { StringDecoder } from 'node:string_decoder';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteLines } from '../../../../src/wire/transport/byte-lines.js';

const WIDE = 1_000;

/** All lines of the pieces, and the lengths of those that were skipped. */
function linesOf(pieces: readonly Buffer[], maxLength = WIDE) {
  const skipped: number[] = [];
  const lines = new ByteLines({ maxLength, onTooLong: (length) => skipped.push(length) });
  const batches = [...pieces.flatMap((piece) => lines.push(piece)), ...lines.flush()];
  for (const batch of batches) expect(batch.text?.split('\n') ?? batch.lines).toEqual(batch.lines);
  return { lines: batches.flatMap((batch) => batch.lines), skipped };
}

/** The same with text that is decoded first, and then split. */
function textLinesOf(pieces: readonly Buffer[], maxLength = WIDE) {
  const decoder = new StringDecoder('utf8');
  const text = [...pieces.map((piece) => decoder.write(piece)), decoder.end()].join('');
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const [lines, long] = [all.filter(fits), all.filter((line) => !fits(line))];
  return { lines, skipped: long.map((line) => line.length) };

  function fits(line: string): boolean {
    return line.length <= maxLength;
  }
}

/** Bytes cut at the given places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const texts = fc.array(fc.constantFrom('a', 'ä', '€', '𝄞', '\u2028', '\r', '\n', '\n', '"'), {
  maxLength: 60,
});
const places = fc.array(fc.nat(400), { maxLength: 12 });

describe('ByteLines', () => {
  test('finds the lines of a text, wherever its bytes are split', () => {
    fc.assert(
      fc.property(texts, places, fc.constantFrom(WIDE, 3, 8), (text, cuts, maxLength) => {
        const pieces = cut(Buffer.from(text.join('')), cuts);
        expect(linesOf(pieces, maxLength)).toEqual(textLinesOf(pieces, maxLength));
      }),
    );
  });

  test('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), places, (bytes, cuts) => {
        const pieces = cut(Buffer.from(bytes), cuts);
        expect(linesOf(pieces)).toEqual(textLinesOf(pieces));
      }),
    );
  });

  test('joins a line that arrives byte by byte', () => {
    const text = 'é'.repeat(5_000);
    const pieces = [...Buffer.from(`${text}\nb`)].map((byte) => Buffer.from([byte]));
    expect(linesOf(pieces, 10_000).lines).toEqual([text, 'b']);
  });

  test.each([1_000, 300_000])('lines of %i bytes from two concurrent streams do not mix', (length) => {
    const streams = ['a', 'b'].map((letter) => {
      const lines = new ByteLines({ maxLength: 1_000_000, onTooLong: () => {} });
      const text = letter.repeat(length);
      return { lines, text, halves: [text.slice(0, 500), `${text.slice(500)}\n`] };
    });
    const found = [0, 1].map((half) =>
      streams.map(({ lines, halves }) =>
        lines.push(Buffer.from(halves[half] ?? '')).flatMap((batch) => batch.lines),
      ),
    );
    expect(found).toEqual([[[], []], streams.map(({ text }) => [text])]);
  });

  test('keeps nothing of a line that is far too long, reports its length, and continues', () => {
    const pieces = Array.from({ length: 50 }, () => Buffer.from('€'.repeat(40)));
    expect(linesOf([...pieces, Buffer.from('\nfine\n')], 100)).toEqual({ lines: ['fine'], skipped: [2_000] });
    expect(linesOf(pieces, 100)).toEqual({ lines: [], skipped: [2_000] });
  });
});
