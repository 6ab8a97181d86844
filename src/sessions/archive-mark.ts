import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsed, type TranscriptEnds } from './ends.js';
import type { FoundTranscript } from './find-transcript.js';
import { promptOf } from './first-prompt.js';
import { timeOf } from './fold-summary.js';

const NAME = 'archived.json';

/** Writes whether a session is archived, in a file of its own beside the transcript. */
export async function writeArchiveMark(
  { beside }: FoundTranscript,
  archived: boolean,
  now: Date,
): Promise<void> {
  await mkdir(beside, { recursive: true, mode: 0o700 });
  const temporary = join(beside, `.${NAME}.${randomUUID()}`);
  try {
    const mark = { archived, at: now.toISOString(), by: 'coxswain' };
    await writeFile(temporary, JSON.stringify(mark), { mode: 0o600, flag: 'wx' });
    // A reader sees the old mark or the new one, never half of it.
    await rename(temporary, join(beside, NAME));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Whether a session is archived: undefined if it never was. A prompt sent later takes the mark back. */
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
