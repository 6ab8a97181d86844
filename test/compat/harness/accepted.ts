import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Difference } from './compare.js';

/** An intended difference between the official SDK and ours. */
export interface AcceptedDifference {
  readonly name: string;
  /** Where it is: the start of a path, in which `*` matches anything. */
  readonly at: readonly string[];
  /** Our value there, if it is constant. */
  readonly ours?: unknown;
  readonly reason: string;
}

const list: readonly AcceptedDifference[] = JSON.parse(
  readFileSync(new URL('../accepted-differences.json', import.meta.url), 'utf8'),
);

/** Every accepted difference, with its reason. */
export const acceptedDifferences = list;

/** The accepted differences that a program may and must show. */
export function acceptedFor(names: readonly string[]): readonly AcceptedDifference[] {
  const unknown = names.filter((name) => !list.some((each) => each.name === name));
  if (unknown.length > 0) throw new Error(`not in accepted-differences.json: ${unknown.join(', ')}`);
  return list.filter(({ name }) => names.includes(name));
}

/** Whether an accepted difference explains a found one. */
export function explains(accepted: AcceptedDifference, found: Difference): boolean {
  const isThere = accepted.at.some((pattern) => matcher(pattern).test(found.at));
  return isThere && (accepted.ours === undefined || isDeepStrictEqual(accepted.ours, found.ours));
}

function matcher(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[\\^$+?.()|[\]{}]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}(?:[.[]|$)`);
}
