import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OptionError } from '../../wire/util/option-checks.js';
import { parsed, type TranscriptEnds } from './ends.js';
import { type FoundTranscript, needTranscript } from './find-transcript.js';
import { promptOf } from './first-prompt.js';
import { timeOf } from './fold-summary.js';
import type { SessionPlace } from './transcript-types.js';
import { writeWhole } from './write-transcript.js';

/**
 * Archives a session. Its transcript does not change, and the next prompt unarchives it. @throws OptionError for a bad
 * id or a store, CoxswainError `SESSION_MISSING`.
 */
export async function archiveSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  await mark(sessionId, true, options);
}

/** Unarchives a session. @throws OptionError for a bad id or a store, CoxswainError `SESSION_MISSING`. */
export async function unarchiveSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  await mark(sessionId, false, options);
}

async function mark(sessionId: string, archived: boolean, options: SessionPlace): Promise<void> {
  if (options.sessionStore !== undefined) {
    throw new OptionError(
      'sessionStore',
      'Sessions in a store cannot be archived: a store keeps only transcripts, and the archive marker is a separate file.',
    );
  }
  await writeArchiveMark(await needTranscript(sessionId, options), archived, new Date());
}

const NAME = 'archived.json';

/** Writes whether a session is archived, to a separate file next to the transcript. */
async function writeArchiveMark({ beside }: FoundTranscript, archived: boolean, now: Date): Promise<void> {
  await mkdir(beside, { recursive: true, mode: 0o700 });
  const mark = { archived, at: now.toISOString(), by: 'coxswain' };
  await writeWhole(join(beside, NAME), (handle) => handle.appendFile(JSON.stringify(mark)));
}

/** Whether a session is archived; undefined if it never was. A later prompt removes the mark. */
export async function readArchiveMark(
  { beside }: FoundTranscript,
  ends: TranscriptEnds,
): Promise<boolean | undefined> {
  const text = await readFile(join(beside, NAME), 'utf8').catch(() => '');
  const mark = parsed(text.trim());
  if (typeof mark?.archived !== 'boolean') return undefined;
  const at = timeOf({ timestamp: mark.at });
  if (!mark.archived || at === undefined) return mark.archived;
  const prompt = ends.last('"user"', (entry) => promptOf(entry) !== undefined);
  const sent = prompt === undefined ? undefined : timeOf(prompt);
  return sent === undefined || sent <= at;
}
