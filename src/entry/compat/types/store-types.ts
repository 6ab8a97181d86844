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
export type GetSessionInfoOptions = SessionMutationOptions;
export type ListSubagentsOptions = SessionMutationOptions;
export type GetSubagentMessagesOptions = SessionMutationOptions & { limit?: number; offset?: number };
export type GetSessionMessagesOptions = GetSubagentMessagesOptions & { includeSystemMessages?: boolean };
export type ListSessionsOptions = GetSubagentMessagesOptions & {
  includeWorktrees?: boolean;
  includeProgrammatic?: boolean;
};
export type ForkSessionOptions = SessionMutationOptions & { upToMessageId?: string; title?: string };
export type ForkSessionResult = { sessionId: string };
export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };
