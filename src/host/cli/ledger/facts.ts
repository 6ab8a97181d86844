import { compareVersions } from '../../../wire/util/versions.js';

/** Facts of the ledger, by id. */
export interface Facts {
  /** The changes of each fact, by name. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A value that a fact has from a version on. */
export interface FactChange {
  /** The first version with this value. */
  readonly from: string;
  /** The value from this version on. */
  readonly value: string;
  /** The newest earlier version known to have the previous value; absent if the change is exact. */
  readonly after?: string;
}

/** The values of a fact, oldest first; none for an unknown id. */
export function changesOf({ facts }: Facts, id: string): readonly FactChange[] {
  const written = Object.hasOwn(facts, id) ? facts[id] : undefined;
  return written === undefined ? [] : written.split(', ').map(readChange);
}

/**
 * The value of a fact on a version. A version newer than all counts as the newest; undefined for a version older than
 * the first probed one, and for an unknown id.
 */
export function factAt(ledger: Facts, id: string, version: string): string | undefined {
  return changesOf(ledger, id).findLast(({ from }) => compareVersions(from, version) <= 0)?.value;
}

/** Whether the value of a fact on a version is certain: the version is not in a gap where the value changes. */
export function isExactAt(ledger: Facts, id: string, version: string): boolean {
  return !changesOf(ledger, id).some(
    ({ from, after }) =>
      after !== undefined && compareVersions(after, version) < 0 && compareVersions(version, from) < 0,
  );
}

/** Writes the values of a fact in the ledger's format. */
export function writeChanges(changes: readonly FactChange[]): string {
  return changes
    .map(({ from, value, after }) => `${from} ${value}${after === undefined ? '' : ` after ${after}`}`)
    .join(', ');
}

function readChange(text: string): FactChange {
  const [from = '', value = '', , after] = text.split(' ');
  return { from, value, ...(after === undefined ? {} : { after }) };
}
