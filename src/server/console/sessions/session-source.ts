import type { RunCommand } from '../commands/command.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { ServedSession, ServedSessions } from './served-session.js';

/** Where the sessions are that a server shows: here, or on other machines. */
export interface SessionSource {
  readonly sessions: ServedSessions;
  /** The folders below which sessions may be opened. */
  readonly roots: readonly string[];
  /** Does what clients ask for. */
  readonly run: RunCommand;
  /** The first client has come, or the last one is gone. */
  watched(watched: boolean): void;
  /** Lists what is there already; says in words what cannot be read. */
  open(): Promise<readonly string[]>;
}

/** What a {@link SessionSource} works with. */
export interface SessionListener {
  readonly webhooks: Webhooks;
  /** Something that the summary of a session shows has changed. */
  readonly onChange: (session: ServedSession) => void;
  readonly onRemoved: (session: ServedSession) => void;
}
