import { readArchiveMark } from './archive-session.js';
import { type ReadBytes, readEnds, type TranscriptEnds } from './ends.js';
import { type FoundTranscript, findTranscript } from './find-transcript.js';
import {
  foldEntry,
  foldSummary,
  infoOf,
  LAST_COUNTS_MARK,
  type SummaryData,
  timeOf,
} from './fold-summary.js';
import { asSessionId } from './session-id.js';
import { keyIn } from './store-access.js';
import type { SessionInfo, SessionPlace } from './transcript-types.js';

/** Returns information about one session; undefined if there is none, or it is only a side chain. */
export async function sessionInfo(
  sessionId: string,
  options: SessionPlace = {},
): Promise<SessionInfo | undefined> {
  const id = asSessionId(sessionId);
  if (id === undefined) return undefined;
  if (options.sessionStore !== undefined) return storedInfo(id, options);
  const found = await findTranscript(id, options);
  return found === undefined ? undefined : fileInfo(found);
}

/** Reads information about a session from the two ends of its transcript. */
export async function fileInfo(found: FoundTranscript, read?: ReadBytes): Promise<SessionInfo | undefined> {
  const ends = await readEnds(found.file, read);
  const info = ends === undefined ? undefined : infoOf(found.sessionId, summaryOf(ends), ends.modified);
  if (ends === undefined || info === undefined) return undefined;
  const archived = await readArchiveMark(found, ends);
  return { ...info, fileSize: ends.size, ...(archived === undefined ? {} : { archived }) };
}

function summaryOf(ends: TranscriptEnds): SummaryData {
  const data: SummaryData = {};
  ends.fromStart((entry) => {
    foldEntry(data, entry);
    return data.firstPromptLocked === true && data.cwd !== undefined && data.createdAt !== undefined;
  });
  for (const entry of ends.ofTypes(LAST_COUNTS_MARK)) foldEntry(data, entry);
  const branch = ends.last(
    '"gitBranch"',
    ({ gitBranch }) => typeof gitBranch === 'string' && gitBranch !== '',
  );
  if (branch !== undefined) foldEntry(data, { gitBranch: branch.gitBranch, cwd: branch.cwd });
  return data;
}

/** What a store knows about a session; this loads its entries, so lists use the stored summaries instead. */
export async function storedInfo(
  sessionId: string,
  options: SessionPlace,
  mtime?: number,
): Promise<SessionInfo | undefined> {
  const key = keyIn(options, sessionId);
  const entries = await options.sessionStore?.load(key);
  if (entries === null || entries === undefined || entries.length === 0) return undefined;
  const { data } = foldSummary(undefined, key, entries);
  const times = entries.flatMap((entry) => timeOf(entry) ?? []);
  return infoOf(sessionId, data, mtime ?? times.at(-1) ?? 0);
}
