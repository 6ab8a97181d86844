import { type ChangeObject, diffWordsWithSpace } from 'diff';

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
  let left = PAIRS;
  for (const block of blocks(lines)) {
    const pairs = candidates(block, left).slice(0, left);
    left -= pairs.length;
    for (const { from, to, words } of inOrder(pairs.map((pair) => compared(lines, pair)))) {
      const pick = (other: 'added' | 'removed', own: 'added' | 'removed') =>
        words
          .filter((word) => !word[other])
          .map((word) => ({ text: word.value, changed: word[own] === true }));
      parts.set(from, pick('added', 'removed'));
      parts.set(to, pick('removed', 'added'));
    }
  }
  return parts;
}

/** Removed lines directly followed by added ones: where they begin, and how many there are. */
interface Block {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

function blocks(lines: readonly string[]): readonly Block[] {
  const found: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    found.push({ at, removed, added });
    at += Math.max(1, removed + added);
  }
  return found;
}

function runOf(lines: readonly string[], from: number, mark: string): number {
  let count = 0;
  while (lines[from + count]?.startsWith(mark) === true) count += 1;
  return count;
}

type Pair = readonly [from: number, to: number];

/** Which lines to compare: the first with the first and so on, or in a small block with other counts, each with each. */
function candidates({ at, removed, added }: Block, most: number): readonly Pair[] {
  const all = Array.from({ length: removed }, (_, from) =>
    Array.from({ length: added }, (_, to): Pair => [at + from, at + removed + to]),
  );
  if (removed !== added && removed * added <= most) return all.flat();
  return all.flatMap((line, index) => line.slice(index, index + 1));
}

interface Compared {
  readonly from: number;
  readonly to: number;
  readonly words: readonly ChangeObject<string>[];
  /** The share of the longer line that both have. */
  readonly common: number;
}

function compared(lines: readonly string[], [from, to]: Pair): Compared {
  const [before = '', after = ''] = [lines[from]?.slice(1), lines[to]?.slice(1)];
  if (before.length > LONGEST || after.length > LONGEST) return { from, to, words: [], common: 0 };
  const words = diffWordsWithSpace(before, after);
  const same = words.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  return { from, to, words, common: same / Math.max(1, before.trim().length, after.trim().length) };
}

/** The pairs with the most in common whose lines have the same order on both sides. */
function inOrder(pairs: readonly Compared[]): readonly Compared[] {
  const taken: Compared[] = [];
  for (const pair of pairs.toSorted((one, other) => other.common - one.common))
    if (pair.common >= COMMON && taken.every(({ from, to }) => (from - pair.from) * (to - pair.to) > 0))
      taken.push(pair);
  return taken;
}
