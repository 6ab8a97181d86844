import { CoxswainError } from '../util/errors.js';
import type { SessionInfo, SessionPlace } from './types.js';

/** What is known of one session; undefined when there is none, or it is not a conversation of its own. */
export function sessionInfo(
  _sessionId: string,
  _options: SessionPlace = {},
): Promise<SessionInfo | undefined> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
