import { isObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../../console/log/entry.js';
import type { Engine } from '../engine/engine.js';
import type { Epoch } from '../engine/epochs.js';

const BLOB = '"kind":"blob","name":';

/** Stores an entry that is too long for a message separately; returns a placeholder entry. */
export async function storeBlob(
  engine: Engine,
  { session, sequence, series }: Epoch,
  entry: LogEntry,
): Promise<LogEntry> {
  // Not conditional, so an old owner must not replace what a new one has stored.
  const name = `${session}/${sequence}-${series}/${entry.n}`;
  const bytes = new TextEncoder().encode(entry.rest);
  await engine.blobs.putBlob({ name }, bytes);
  return { ...entry, rest: `${BLOB}${JSON.stringify(name)},"bytes":${bytes.length}}` };
}

/** The real entry for a placeholder. The engine's client verifies the digest. */
export async function loadBlob(engine: Engine, entry: LogEntry): Promise<LogEntry> {
  if (!entry.rest.startsWith(BLOB)) return entry;
  const event = eventOf(entry);
  const name = isObject(event) ? String(event.name) : '';
  const bytes = await engine.blobs.getBlob(name);
  return bytes === null ? entry : { ...entry, rest: new TextDecoder().decode(bytes) };
}

/** Deletes all blobs of a conversation. */
export async function removeBlobs({ blobs }: Pick<Engine, 'blobs'>, session: string): Promise<void> {
  for (const name of await blobs.names(`${session}/`)) await blobs.delete(name);
}
