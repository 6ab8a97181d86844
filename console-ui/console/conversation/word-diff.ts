import { diffWordsWithSpace } from 'diff';

/** A part of a changed line; `changed` if the other line differs here. */
export interface WordPart {
  readonly text: string;
  readonly changed: boolean;
}

/** How many pairs of lines are compared word by word, and the maximum length of a line. */
const PAIRS = 200;
const LONGEST = 500;
/** Lines with less in common are shown without word marks. */
const COMMON = 0.4;

/** The parts of lines in a patch that replace each other, by line index. */
export function wordParts(lines: readonly string[]): ReadonlyMap<number, readonly WordPart[]> {
  const parts = new Map<number, readonly WordPart[]>();
  for (const [from, to] of pairs(lines).slice(0, PAIRS)) {
    const [before = '', after = ''] = [lines[from]?.slice(1), lines[to]?.slice(1)];
    if (before.length > LONGEST || after.length > LONGEST) continue;
    const words = diffWordsWithSpace(before, after);
    const same = words.reduce(
      (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
      0,
    );
    if (same < COMMON * Math.max(before.trim().length, after.trim().length)) continue;
    const pick = (other: 'added' | 'removed', own: 'added' | 'removed') =>
      words.filter((word) => !word[other]).map((word) => ({ text: word.value, changed: word[own] === true }));
    parts.set(from, pick('added', 'removed'));
    parts.set(to, pick('removed', 'added'));
  }
  return parts;
}

/** Removed lines directly followed by added ones: the first replaces the first, and so on. */
function pairs(lines: readonly string[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    for (let index = 0; index < Math.min(removed, added); index += 1)
      found.push([at + index, at + removed + index]);
    at += Math.max(1, removed + added);
  }
  return found;
}

function runOf(lines: readonly string[], from: number, mark: string): number {
  let count = 0;
  while (lines[from + count]?.startsWith(mark) === true) count += 1;
  return count;
}
