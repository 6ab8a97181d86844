import { resolve } from 'node:path';
import { projectKeyOf } from './project-folders.js';
import type { SessionKey, SessionStore, TranscriptEntry } from './store.js';
import type { SessionPlace } from './transcript-types.js';

/** The project that a session belongs to in a store: that of `dir`, or of the folder this process works in. */
export function projectKeyIn({ dir }: Pick<SessionPlace, 'dir'>): string {
  return projectKeyOf(resolve(dir ?? '.'));
}

/** The key of a transcript in a store. */
export function keyIn(place: Pick<SessionPlace, 'dir'>, sessionId: string, subpath?: string): SessionKey {
  return { projectKey: projectKeyIn(place), sessionId, ...(subpath === undefined ? {} : { subpath }) };
}

/** Appends entries to a transcript in a store as they arrive, in batches. */
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

/** Stores often limit the size of a call. */
const DEFAULT_BATCH = 500;
