import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../wire/util/error-text.js';
import { projectFolders } from './project-folders.js';
import { needSessionId, sessionMissing } from './session-id.js';
import type { SessionPlace } from './transcript-types.js';

/** A transcript on disk. */
export interface FoundTranscript {
  readonly sessionId: string;
  /** The folder of its project. */
  readonly folder: string;
  readonly file: string;
  /** The folder next to it, for its subagents and its archive marker; it may not exist. */
  readonly beside: string;
}

/** Finds the transcript of a session. If several projects have one, the most recently changed is used. */
export async function findTranscript(
  sessionId: string,
  place: Pick<SessionPlace, 'dir' | 'configDir'>,
): Promise<FoundTranscript | undefined> {
  const folders = await projectFolders(place);
  const times = await Promise.all(folders.map((folder) => modified(join(folder, `${sessionId}.jsonl`))));
  const newest = times.indexOf(Math.max(...times));
  const folder = folders[newest];
  return folder === undefined || times[newest] === NEVER ? undefined : transcriptIn(folder, sessionId);
}

/** The same for functions that change something.
 * @throws OptionError for a bad id, and CoxswainError `SESSION_MISSING`. */
export async function needTranscript(sessionId: string, place: SessionPlace): Promise<FoundTranscript> {
  const id = needSessionId(sessionId);
  const found = await findTranscript(id, place);
  if (found === undefined) throw sessionMissing(id, place);
  return found;
}

/** The paths of a session in a folder. */
export function transcriptIn(folder: string, sessionId: string): FoundTranscript {
  return { sessionId, folder, file: join(folder, `${sessionId}.jsonl`), beside: join(folder, sessionId) };
}

const NEVER = -1;

async function modified(file: string): Promise<number> {
  const facts = await stat(file).catch(ifMissing);
  return facts?.isFile() ? facts.mtimeMs : NEVER;
}

/** There is no such file. Other failures, such as too many open files, do not say that. */
export function ifMissing(error: unknown): undefined {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}
