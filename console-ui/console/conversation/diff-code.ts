import { useMemo } from 'react';
import type { CodeSpan } from '../code/grammars.js';
import { useSpans } from '../code/use-spans.js';
import type { WordPart } from './word-diff.js';

/** The highlighted code of the lines of a hunk, by line index; empty until it is known. */
export function useDiffCode(
  lines: readonly string[],
  language: string,
): ReadonlyMap<number, readonly CodeSpan[]> {
  const before = useMemo(() => side(lines, '-'), [lines]);
  const after = useMemo(() => side(lines, '+'), [lines]);
  const removed = useSpans(before.text, language);
  const added = useSpans(after.text, language);
  return useMemo(
    () => new Map([...placed(before.places, removed), ...placed(after.places, added)]),
    [before, after, removed, added],
  );
}

/** A line's parts: changed words, and around them code. */
export function marked(parts: readonly WordPart[], code: readonly CodeSpan[]): readonly CodeSpan[] {
  let at = 0;
  return parts.flatMap(({ text, changed }) => {
    const from = at;
    at += text.length;
    return changed ? [{ text, kind: 'word' }] : between(code, from, at);
  });
}

function between(code: readonly CodeSpan[], from: number, to: number): readonly CodeSpan[] {
  let at = 0;
  return code.flatMap(({ text, kind }) => {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part === '' ? [] : [{ text: part, kind }];
  });
}

/** One version of the code, and which lines of the hunk it consists of. */
function side(lines: readonly string[], mark: '-' | '+') {
  const places = [...lines.keys()].filter((index) => [mark, ' ', undefined].includes(lines[index]?.[0]));
  return { places, text: places.map((index) => lines[index]?.slice(1) ?? '').join('\n') };
}

function placed(places: readonly number[], spans: readonly CodeSpan[] = []) {
  const lines: CodeSpan[][] = [[]];
  for (const { text, kind } of spans)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind });
    }
  return spans.length === 0 ? [] : places.map((place, index) => [place, lines[index] ?? []] as const);
}
