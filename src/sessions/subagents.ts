import { CoxswainError } from '../util/errors.js';
import type { Page, SessionMessage, SessionPlace } from './types.js';

/** The ids of the subagents that a session started. */
export function listSubagents(_sessionId: string, _options: SessionPlace = {}): Promise<string[]> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}

/** The messages of a subagent in order; none when there is no such subagent. */
export function subagentMessages(
  _sessionId: string,
  _agentId: string,
  _options: SessionPlace & Page = {},
): Promise<SessionMessage[]> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
