export type { SessionKey, SessionStore, StoredSummary, TranscriptEntry } from '../../sessions/store.js';

/** Whether a store gets what was written at once, or in batches. */
export type SessionStoreFlush = 'batched' | 'eager';
