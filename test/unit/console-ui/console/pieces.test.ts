import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownPieces, PIECE, textPieces } from '../../../../console-ui/console/conversation/pieces.js';

describe('a long text in pieces', () => {
  it('is the same text, in short pieces', () => {
    const words = fc.array(fc.constantFrom('word', ' ', '\n', '🙂', 'x'.repeat(30)), { maxLength: 400 });
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join('');
        const pieces = textPieces(text, 100);
        expect(pieces.join('')).toBe(text);
        expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(100);
        expect(pieces.some((piece) => /[\ud800-\udbff]$/.test(piece))).toBe(false);
      }),
    );
  });

  it('is cut after newlines if it has any', () => {
    expect(textPieces('one\ntwo\nthree\n', 9)).toEqual(['one\ntwo\n', 'three\n']);
  });
});

describe('a long markdown text in pieces', () => {
  const part = '## A heading\n\nSome *words* in a paragraph.\n\n- one\n- two\n\n';
  const long = part.repeat(2_000);
  const texts = (text: string) => markdownPieces(text).map((piece) => piece.text);

  it('is one piece while it is short', () => {
    expect(markdownPieces(part)).toEqual([{ kind: 'blocks', text: part }]);
  });

  it('is cut between blocks', () => {
    expect(texts(long).join('')).toBe(long);
    expect(texts(long).length).toBeGreaterThan(5);
    for (const text of texts(long)) {
      expect(text.length).toBeLessThan(2 * PIECE);
      expect(text).toMatch(/^(?:## A|Some|- one)/);
    }
  });

  it('keeps its pieces while it grows', () => {
    const before = texts(long.slice(0, -3 * PIECE));
    expect(texts(long).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });

  it('keeps a long code block whole, even while it is being written', () => {
    const code = 'const x = 1;\n\n'.repeat(4_000).trimEnd();
    const blocks = (text: string) => markdownPieces(text).filter(({ kind }) => kind === 'code');
    expect(blocks(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\n\nThat was it.\n`)).toEqual([
      { kind: 'code', text: code, lang: 'js' },
    ]);
    expect(blocks(`Look:\n\n~~~~\n${code}\n~~~\nstill in it`)).toEqual([
      { kind: 'code', text: `${code}\n~~~\nstill in it`, lang: '' },
    ]);
  });

  it('gives each piece of a long table its header', () => {
    const head = '| a | b |\n|---|:-:|\n';
    const pieces = texts(`${head}${'| 1 | 2 |\n'.repeat(8_000)}\n`).filter((text) => text.trim() !== '');
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.startsWith(head)).toBe(true);
  });

  it('is cut somewhere if nothing ends', () => {
    const line = 'word '.repeat(20_000);
    expect(texts(line).join('')).toBe(line);
    expect(Math.max(...texts(line).map(({ length }) => length))).toBeLessThanOrEqual(2 * PIECE);
  });
});
