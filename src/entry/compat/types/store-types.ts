import type { SessionStore } from '../../../host/transcripts/store.js';

export type {
  SessionKey,
  SessionStore,
  StoredSummary as SessionSummaryEntry,
  TranscriptEntry as SessionStoreEntry,
} from '../../../host/transcripts/store.js';
export type {
  SessionInfo as SDKSessionInfo,
  SessionMessage,
} from '../../../host/transcripts/transcript-types.js';

/** Whether a store gets what was written at once, or in batches. */
export type SessionStoreFlush = 'batched' | 'eager';

/** Where a session is: in a project's folder, or in a store. */
export type SessionMutationOptions = { dir?: string; sessionStore?: SessionStore };
/** Where to search for the session. */
export type GetSessionInfoOptions = SessionMutationOptions;
/** Where to search for the session. */
export type ListSubagentsOptions = SessionMutationOptions;
/** Where to search for the session, and which messages to return. */
export type GetSubagentMessagesOptions = SessionMutationOptions & { limit?: number; offset?: number };
/** Where to search for the session, and which messages to return. */
export type GetSessionMessagesOptions = GetSubagentMessagesOptions & { includeSystemMessages?: boolean };
/** Which sessions are listed. */
export type ListSessionsOptions = GetSubagentMessagesOptions & {
  includeWorktrees?: boolean;
  includeProgrammatic?: boolean;
};
/** How a session is forked. */
export type ForkSessionOptions = SessionMutationOptions & { upToMessageId?: string; title?: string };
/** The fork. */
export type ForkSessionResult = { sessionId: string };
/** How a session is brought into a store. */
export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };
