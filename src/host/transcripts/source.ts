import { type FileHandle, open } from 'node:fs/promises';
import type { WireObject } from '../../wire/protocol/frames.js';
import { parsed } from './ends.js';
import { findTranscript, ifMissing } from './find-transcript.js';
import { keyIn } from './store-access.js';
import { readLines } from './transcript-lines.js';
import type { SessionPlace } from './transcript-types.js';

/** An entry and its position. */
export interface PlacedEntry {
  /** The entry. */
  readonly entry: WireObject;
  readonly at: number;
  readonly bytes: number;
}

/** A transcript that can be scanned once and read again at given places. Lines that are not entries are skipped. */
export interface TranscriptSource extends AsyncDisposable {
  entries(): AsyncIterable<PlacedEntry>;
  read(place: { readonly at: number; readonly bytes: number }): Promise<WireObject | undefined>;
}

/** The transcript of a session, on disk or in the store; undefined when there is none. */
export async function openSource(
  sessionId: string,
  place: SessionPlace,
): Promise<TranscriptSource | undefined> {
  if (place.sessionStore !== undefined) return storeSource(place, sessionId);
  const found = await findTranscript(sessionId, place);
  return found === undefined ? undefined : fileSource(found.file);
}

/** A transcript on disk, kept open so that a CLI that replaces it cannot mix two files. */
export async function fileSource(file: string): Promise<TranscriptSource | undefined> {
  const handle = await open(file, 'r').catch(ifMissing);
  if (handle === undefined) return undefined;
  return {
    entries: () => entriesOf(handle),
    read: async ({ at, bytes }) => {
      const buffer = Buffer.allocUnsafe(bytes);
      const { bytesRead } = await handle.read(buffer, 0, bytes, at);
      return bytesRead === bytes ? parsed(buffer.toString('utf8')) : undefined;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function* entriesOf(handle: FileHandle): AsyncGenerator<PlacedEntry, void, undefined> {
  for await (const { text = '', at, bytes } of readLines(handle)) {
    const entry = parsed(text);
    if (entry !== undefined) yield { entry, at, bytes };
  }
}

/** A transcript in a store, which returns all of it at once. */
export async function storeSource(
  place: SessionPlace,
  sessionId: string,
  subpath?: string,
): Promise<TranscriptSource | undefined> {
  const entries = await place.sessionStore?.load(keyIn(place, sessionId, subpath));
  if (entries === null || entries === undefined) return undefined;
  return {
    async *entries() {
      yield* entries.map((entry, at) => ({ entry, at, bytes: 0 }));
    },
    read: ({ at }) => Promise.resolve(entries[at]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
