import { OptionError } from '../../wire/util/option-checks.js';
import { writeArchiveMark } from './archive-mark.js';
import { needTranscript } from './find-transcript.js';
import type { SessionPlace } from './transcript-types.js';

/** Marks a session as archived; its transcript stays as it is, and the next prompt takes the mark back.
 * @throws OptionError for a bad id or a store, CoxswainError `SESSION_MISSING`. */
export async function archiveSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  await mark(sessionId, true, options);
}

/** Takes the mark away.
 * @throws OptionError for a bad id or a store, CoxswainError `SESSION_MISSING`. */
export async function unarchiveSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  await mark(sessionId, false, options);
}

async function mark(sessionId: string, archived: boolean, options: SessionPlace): Promise<void> {
  if (options.sessionStore !== undefined) {
    throw new OptionError(
      'sessionStore',
      'Sessions in a store cannot be archived: a store keeps transcripts, and the mark is not part of one.',
    );
  }
  await writeArchiveMark(await needTranscript(sessionId, options), archived, new Date());
}
