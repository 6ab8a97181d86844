import type { SessionSummary } from '../../entry/remote/contract.js';
import type { Conversations } from '../../server/console/service/conversations.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** The minimum number of characters of an id that identify a session. */
const SHORTEST = 4;

/**
 * The session that a person means: by its id or the start of it, by its title, or by the CLI's id of the
 * conversation. Among several with the same title, one that has not ended.
 */
export function findSession(sessions: readonly SessionSummary[], name: string): SessionSummary {
  const named = sessions.filter(
    ({ id, conversation, title }) => id === name || conversation === name || title === name,
  );
  const begun = name.length < SHORTEST ? [] : sessions.filter(({ id }) => id.startsWith(name.toLowerCase()));
  const found = named.length > 0 ? named : begun;
  const open = found.filter(({ state }) => state !== 'ended');
  const [session, ...others] = open.length > 0 ? open : found;
  if (session === undefined) {
    throw new CoxswainError('SESSION_UNKNOWN', `The console has no session called ${JSON.stringify(name)}.`);
  }
  if (others.length > 0) {
    const ids = [session, ...others].map(({ id }) => id).join(', ');
    throw new CoxswainError('OPTION_INVALID', `Several sessions are called ${JSON.stringify(name)}: ${ids}.`);
  }
  return session;
}

/** The same, for a message: an ended session is resumed here; a parked one is resumed by the message. */
export async function findOpenSession(conversations: Conversations, name: string): Promise<SessionSummary> {
  const session = findSession(conversations.all, name);
  if (session.state === 'ended') await conversations.command('reopen', {}, { session: session.id });
  return session;
}
