import { compareVersions } from '../../../wire/util/versions.js';

/** Facts by their ids, as the ledger has them. */
export interface Facts {
  /** The changes of each fact, by its name. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A value that a fact has from a version on. */
export interface FactChange {
  /** The first version with this value. */
  readonly from: string;
  /** The value from there on. */
  readonly value: string;
  /** The newest version below that is known to have the value before; without it the change is exact. */
  readonly after?: string;
}

/** The values of a fact, oldest first; an unknown id gives none. */
export function changesOf({ facts }: Facts, id: string): readonly FactChange[] {
  const written = Object.hasOwn(facts, id) ? facts[id] : undefined;
  return written === undefined ? [] : written.split(', ').map(readChange);
}

/**
 * The value of a fact on a version. One newer than all is taken for the newest; one that is older than the first
 * probed gives undefined, as does an unknown id.
 */
export function factAt(ledger: Facts, id: string, version: string): string | undefined {
  return changesOf(ledger, id).findLast(({ from }) => compareVersions(from, version) <= 0)?.value;
}

/** Whether it is certain that a fact has its value on a version: it lies in no gap in which the value changes. */
export function isExactAt(ledger: Facts, id: string, version: string): boolean {
  return !changesOf(ledger, id).some(
    ({ from, after }) =>
      after !== undefined && compareVersions(after, version) < 0 && compareVersions(version, from) < 0,
  );
}

/** Writes the values of a fact as the ledger has them. */
export function writeChanges(changes: readonly FactChange[]): string {
  return changes
    .map(({ from, value, after }) => `${from} ${value}${after === undefined ? '' : ` after ${after}`}`)
    .join(', ');
}

function readChange(text: string): FactChange {
  const [from = '', value = '', , after] = text.split(' ');
  return { from, value, ...(after === undefined ? {} : { after }) };
}
