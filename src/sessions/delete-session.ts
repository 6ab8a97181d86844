import { CoxswainError } from '../util/errors.js';
import type { SessionPlace } from './types.js';

/** Deletes a session with the transcripts of its subagents, on this computer or in the store. */
export function deleteSession(_sessionId: string, _options: SessionPlace = {}): Promise<void> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
