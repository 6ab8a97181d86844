import type { Session } from '../../../host/session/session.js';

/** Resolves when the session's CLI may send more; undefined if it may now. */
export type Pace = (session: string) => Promise<void> | undefined;

/** Reads a CLI's output no faster than allowed: its pipe fills up meanwhile, and the CLI waits. */
export async function readAlong(session: Session, id: string, pace: Pace): Promise<void> {
  try {
    for await (const _message of session.messages({ partial: false })) await pace(id);
  } catch {
    // The CLI ended, which the session reports.
  }
}
