import { CoxswainError } from '../util/errors.js';
import type { SessionKey, StoredSummary, TranscriptEntry } from './store.js';

/** Brings a stored summary up to date with entries that were just appended; for stores, inside `append`. */
export function foldSummary(
  _previous: StoredSummary | undefined,
  _key: SessionKey,
  _entries: readonly TranscriptEntry[],
  _options: { readonly mtime?: number } = {},
): StoredSummary {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
