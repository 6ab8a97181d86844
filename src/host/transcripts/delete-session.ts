import { rm, unlink } from 'node:fs/promises';
import { needTranscript } from './find-transcript.js';
import { needSessionId } from './session-id.js';
import { keyIn } from './store-key.js';
import { subagentsOf } from './subagents.js';
import type { SessionPlace } from './transcript-types.js';

/**
 * Deletes a session with the transcripts of its subagents, on this computer or in the store; a store that cannot
 * delete keeps it. The transcript goes last, so that after a failure it can be tried again.
 * @throws OptionError for a bad id, CoxswainError `SESSION_MISSING`, and what the system refuses.
 */
export async function deleteSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  if (options.sessionStore !== undefined) {
    const key = keyIn(options, needSessionId(sessionId));
    await options.sessionStore.delete?.(key);
    return;
  }
  const found = await needTranscript(sessionId, options);
  for (const { file } of await subagentsOf(found)) await rm(file, { force: true });
  await rm(found.beside, { recursive: true, force: true });
  await unlink(found.file);
}
