import { deleteSession } from '../../host/transcripts/change-session.js';
import { listSessions } from '../../host/transcripts/list-sessions.js';
import { sessionInfo } from '../../host/transcripts/session-info.js';
import { sessionMessages } from '../../host/transcripts/session-messages.js';
import type { SessionInfo, SessionMessage } from '../../host/transcripts/transcript-types.js';

/** What is known about a stored session. */
export interface KeptSession extends Pick<SessionInfo, 'sessionId' | 'summary' | 'lastModified'> {
  readonly cwd?: string | undefined;
}

/** Which sessions to list. */
export interface ListedPart {
  readonly cwd?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The sessions that clients can continue. */
export interface KeptSessions {
  /** Most recently used first. */
  list(part: ListedPart): Promise<readonly KeptSession[]>;
  find(sessionId: string): Promise<KeptSession | undefined>;
  messages(sessionId: string): Promise<readonly SessionMessage[]>;
  remove(sessionId: string): Promise<void>;
}

/** The sessions that the CLI has stored on this machine. */
export const sessionsOnDisk: KeptSessions = {
  list: ({ cwd: dir, offset, limit }) => listSessions({ dir, offset, limit, includeWorktrees: false }),
  find: (sessionId) => sessionInfo(sessionId).catch(() => undefined),
  messages: (sessionId) => sessionMessages(sessionId),
  remove: (sessionId) => deleteSession(sessionId),
};
