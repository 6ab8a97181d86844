import type { WorkersView } from '../../../entry/remote/contract.js';
import type { RunCommand } from '../commands/command.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { ServedSession, ServedSessions } from './served-session.js';

/** Where a server's sessions are: here, or on other machines. */
export interface SessionSource {
  readonly sessions: ServedSessions;
  /** The folders below which sessions may be opened. */
  readonly roots: readonly string[];
  /** What the workers of a fleet have. */
  readonly workers?: WorkersView | undefined;
  /** Runs client commands. */
  readonly run: RunCommand;
  /** The first client has connected, or the last one has left. */
  watched(watched: boolean): void;
  /** Lists what already exists; reports in words what cannot be read. */
  open(): Promise<readonly string[]>;
}

/** The dependencies of a {@link SessionSource}. */
export interface SessionListener {
  readonly webhooks: Webhooks;
  /** Something in a session's summary has changed. */
  readonly onChange: (session: ServedSession) => void;
  readonly onRemoved: (session: ServedSession) => void;
}
