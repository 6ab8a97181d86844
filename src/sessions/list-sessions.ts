import { CoxswainError } from '../util/errors.js';
import type { Page, SessionInfo, SessionPlace } from './types.js';

/** What {@link listSessions} can be told. */
export interface ListSessionsOptions extends SessionPlace, Page {
  /** Also the sessions of the other git worktrees of `dir`; true unless given. */
  readonly includeWorktrees?: boolean | undefined;
  /** Also sessions that programs held; true unless given. */
  readonly includeProgrammatic?: boolean | undefined;
}

/** Lists sessions, the last changed one first. Of each transcript only the two ends are read. */
export function listSessions(_options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
  throw new CoxswainError('OPTION_INVALID', 'not there yet');
}
