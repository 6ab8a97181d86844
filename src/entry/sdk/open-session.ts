import { Session } from '../../host/session/session.js';
import type { SessionDeps } from '../../host/session/session-host.js';
import { checkSessionOptions } from '../../host/session/session-option-table.js';
import { isRecord } from '../../wire/util/option-checks.js';
import { type OpenOptions, remoteSession } from './remote-session.js';

/**
 * Starts a session and returns it immediately: its state can be watched, and messages sent before it is ready
 * are held. `session.ready` settles when it is ready or has failed.
 * @throws OptionError for a wrong option, before anything is started.
 */
export function startSession(options: OpenOptions = {}, deps: SessionDeps = {}): Session {
  if (isRecord(options) && (options.remote !== undefined || options.token !== undefined)) {
    return remoteSession(options, deps);
  }
  checkSessionOptions(options);
  return new Session(options, deps);
}

/** Opens a session and waits until it is ready. A failed open leaves nothing running. */
export async function openSession(options: OpenOptions = {}, deps: SessionDeps = {}): Promise<Session> {
  const session = startSession(options, deps);
  await session.ready;
  return session;
}
