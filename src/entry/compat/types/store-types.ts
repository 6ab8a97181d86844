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

/** Whether a store gets entries immediately, or in batches. */
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
/** Which sessions to list. */
export type ListSessionsOptions = GetSubagentMessagesOptions & {
  includeWorktrees?: boolean;
  includeProgrammatic?: boolean;
};
/** How to fork a session. */
export type ForkSessionOptions = SessionMutationOptions & { upToMessageId?: string; title?: string };
/** The fork. */
export type ForkSessionResult = { sessionId: string };
/** How to import a session into a store. */
export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };
