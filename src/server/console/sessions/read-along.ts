import type { Session } from '../../../host/session/session.js';

/** Resolves when the CLI of a session may say more; undefined if it may now. */
export type Pace = (session: string) => Promise<void> | undefined;

/** Reads what a CLI says no faster than allowed: its pipe fills up meanwhile, and it waits. */
export async function readAlong(session: Session, id: string, pace: Pace): Promise<void> {
  for await (const _message of session.messages({ partial: false })) await pace(id);
}
