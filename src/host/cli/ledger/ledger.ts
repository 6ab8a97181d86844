import { readFileSync } from 'node:fs';
import { builtFile } from '../../../wire/package/built-file.js';
import type { Facts } from './facts.js';

/** Facts about every published CLI, found by probing real ones. */
export interface Ledger extends Facts {
  /** The versions that npm had when the ledger was written, oldest first. */
  readonly published: readonly string[];
  /** The versions on which every requirement was probed. */
  readonly probed: readonly string[];
  /** The versions that were examined for some facts, to locate changes. */
  readonly looked: readonly string[];
  /**
   * Each fact by its id, with the versions at which its value changes: `2.0.0 silent, 2.1.40 pass`. `2.1.40 pass after
   * 2.1.38` means that it changed somewhere after 2.1.38.
   */
  readonly facts: Readonly<Record<string, string>>;
  /** Facts with differing results between runs, with the versions. The ledger has the result of most runs. */
  readonly unsteady: Readonly<Record<string, string>>;
}

/** Reads the ledger of this package. */
export function readLedger(): Ledger {
  kept ??= JSON.parse(readFileSync(builtFile('ledger.json'), 'utf8')) as Ledger;
  return kept;
}

let kept: Ledger | undefined;
