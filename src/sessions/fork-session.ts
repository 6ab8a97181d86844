import { CoxswainError } from '../util/errors.js';
import type { SessionPlace } from './types.js';

/** What {@link forkSession} can be told. */
export interface ForkSessionOptions extends SessionPlace {
  /** The uuid of the last message that the fork keeps; all of them unless given. */
  readonly upToMessageId?: string | undefined;
  /** The title of the fork; that of the original with ` (fork)` behind it unless given. */
  readonly title?: string | undefined;
}

/** Copies a conversation into a new session that goes its own way from there. */
export function forkSession(
  _sessionId: string,
  _options: ForkSessionOptions = {},
): Promise<{ sessionId: string }> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
