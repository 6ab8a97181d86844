import { CoxswainError } from '../util/errors.js';
import type { SessionPlace } from './types.js';

/** Gives a session a title. */
export function renameSession(
  _sessionId: string,
  _title: string,
  _options: SessionPlace = {},
): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}

/** Gives a session a tag, or takes it away with null. */
export function tagSession(
  _sessionId: string,
  _tag: string | null,
  _options: SessionPlace = {},
): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
