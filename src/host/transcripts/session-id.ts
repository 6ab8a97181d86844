import { CoxswainError } from '../../wire/util/errors.js';
import { kinds, OptionError } from '../../wire/util/option-checks.js';
import type { SessionPlace } from './transcript-types.js';

/** The id as used in file names; undefined for anything but a UUID. */
export function asSessionId(value: unknown): string | undefined {
  return typeof value === 'string' && kinds.uuid.accepts(value) ? value.toLowerCase() : undefined;
}

/** The same for functions that change something.
 * @throws OptionError for anything but a UUID. */
export function needSessionId(value: unknown): string {
  const id = asSessionId(value);
  if (id !== undefined) return id;
  throw new OptionError('sessionId', `The id of a session must be a UUID, not ${JSON.stringify(value)}.`);
}

/** The error for a session that was not found. */
export function sessionMissing(sessionId: string, { dir, sessionStore }: SessionPlace): CoxswainError {
  const where = sessionStore === undefined ? '' : ' in the store';
  const project = dir === undefined ? ' in any project' : ` in the project of ${dir}`;
  return new CoxswainError(
    'SESSION_MISSING',
    `There is no session ${sessionId}${where || project}. listSessions() lists the existing ones.`,
  );
}
