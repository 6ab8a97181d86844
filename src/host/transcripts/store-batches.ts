import type { SessionKey, SessionStore, TranscriptEntry } from './store.js';

/** Appends entries to a transcript in a store as they come, so many at a time. */
export async function appendInBatches(
  store: SessionStore,
  key: SessionKey,
  entries: AsyncIterable<TranscriptEntry>,
  batchSize: number = DEFAULT_BATCH,
): Promise<void> {
  let batch: TranscriptEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < batchSize) continue;
    await store.append(key, batch);
    batch = [];
  }
  if (batch.length > 0) await store.append(key, batch);
}

/** Stores often limit how much one call may carry. */
const DEFAULT_BATCH = 500;
