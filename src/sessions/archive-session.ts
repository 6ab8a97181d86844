import { CoxswainError } from '../util/errors.js';
import type { SessionPlace } from './types.js';

/** Marks a session as archived; its transcript stays as it is. */
export function archiveSession(_sessionId: string, _options: SessionPlace = {}): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}

/** Takes the mark away. */
export function unarchiveSession(_sessionId: string, _options: SessionPlace = {}): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
