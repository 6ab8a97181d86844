import type { Rule } from './rule.js';

interface Needle {
  readonly text: string;
  readonly rule: number;
}

/** All needles that begin with one letter, by the code of their second. */
interface Walk {
  readonly letter: string;
  readonly bySecond: ReadonlyMap<number, readonly Needle[]>;
}

/** From this many needles with the same first letter on, one walk over that letter is quicker than a search for each. */
const WORTH_A_WALK = 3;

/** Says quickly which rules may find something in a text. */
export class NeedleFinder {
  readonly #rules: readonly Rule[];
  readonly #alone: readonly Needle[];
  readonly #walks: readonly Walk[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    const all = [...groupByLetter(rules)];
    this.#alone = all.flatMap(([letter, group]) => (isWalk(letter, group) ? [] : group));
    this.#walks = all.flatMap(([letter, group]) => (isWalk(letter, group) ? [walkOf(letter, group)] : []));
  }

  /** The rules of which a needle is in the text, in their order. */
  find(text: string): readonly Rule[] {
    const found = new Set<number>();
    for (const { text: needle, rule } of this.#alone) if (text.includes(needle)) found.add(rule);
    for (const walk of this.#walks) walkOver(text, walk, found);
    return found.size === 0 ? NONE : this.#rules.filter((_, index) => found.has(index));
  }
}

const NONE: readonly Rule[] = [];

function walkOver(text: string, { letter, bySecond }: Walk, found: Set<number>): void {
  for (let at = text.indexOf(letter); at !== -1; at = text.indexOf(letter, at + 1)) {
    const needles = bySecond.get(text.charCodeAt(at + 1));
    if (needles === undefined) continue;
    for (const { text: needle, rule } of needles) if (text.startsWith(needle, at)) found.add(rule);
  }
}

function isWalk(letter: string, group: readonly Needle[]): boolean {
  return letter !== '' && group.length >= WORTH_A_WALK && group.every(({ text }) => text.length > 1);
}

function walkOf(letter: string, group: readonly Needle[]): Walk {
  const bySecond = new Map<number, Needle[]>();
  for (const needle of group) {
    const second = needle.text.charCodeAt(1);
    bySecond.set(second, [...(bySecond.get(second) ?? []), needle]);
  }
  return { letter, bySecond };
}

function groupByLetter(rules: readonly Rule[]): ReadonlyMap<string, readonly Needle[]> {
  const groups = new Map<string, Needle[]>();
  for (const [rule, { needles }] of rules.entries()) {
    for (const text of needles) {
      const letter = text.slice(0, 1);
      groups.set(letter, [...(groups.get(letter) ?? []), { text, rule }]);
    }
  }
  return groups;
}
