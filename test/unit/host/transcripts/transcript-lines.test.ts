import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLines, type TranscriptLine } from '../../../../src/host/transcripts/transcript-lines.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sessions-lines-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function linesOf(text: string, maxLineBytes?: number): Promise<readonly TranscriptLine[]> {
  await using handle = await open(join(folder, 'file'), 'w+');
  await handle.writeFile(text);
  const lines: TranscriptLine[] = [];
  for await (const line of readLines(handle, maxLineBytes)) lines.push(line);
  return lines;
}

test('every line is returned whole, with its position, whatever it contains', async () => {
  const texts = fc.array(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async (wanted, isEnded) => {
      const text = wanted.join('\n') + (isEnded ? '\n' : '');
      const lines = await linesOf(text);
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(lines.map((line) => line.text)).toEqual(expected);
      for (const { text: line = '', at, bytes } of lines) {
        expect(
          Buffer.from(text)
            .subarray(at, at + bytes)
            .toString(),
        ).toBe(line);
      }
    }),
    { numRuns: 50 },
  );
});

test('lines longer than a chunk are joined, including split characters', async () => {
  const long = 'ü'.repeat(300_000);
  const lines = await linesOf(`a\n${long}\nb`);
  expect(lines.map(({ text }) => text)).toEqual(['a', long, 'b']);
  expect(lines.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
  expect(lines.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test('a line over the limit has no text, and later lines are read', async () => {
  const lines = await linesOf(`a\n${'x'.repeat(1_000_000)}\nb\n`, 1000);
  expect(lines.map(({ text, bytes }) => [text, bytes])).toEqual([
    ['a', 1],
    [undefined, 1_000_000],
    ['b', 1],
  ]);
});
