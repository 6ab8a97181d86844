import { CoxswainError } from '../util/errors.js';
import type { Page, SessionMessage, SessionPlace } from './types.js';

/** What {@link sessionMessages} can be told. */
export interface SessionMessagesOptions extends SessionPlace, Page {
  /** Also system messages, such as the border of a compaction; false unless given. */
  readonly includeSystemMessages?: boolean | undefined;
}

/** The messages of a conversation in order; none when there is no such session. */
export function sessionMessages(
  _sessionId: string,
  _options: SessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
