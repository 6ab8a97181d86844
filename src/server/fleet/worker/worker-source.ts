import type { RunCommand } from '../../console/commands/command.js';
import type { EventLog } from '../../console/log/event-log.js';
import type { ConsoleSession } from '../../console/sessions/console-session.js';
import type { ServedLog, ServedSession, ServedSessions } from '../../console/sessions/served-session.js';
import type { LeftSession } from '../../console/sessions/session-registry.js';

/** A session with its CLI, as far as the owner of a conversation uses it. */
export interface OwnedSession
  extends ServedSession,
    Pick<ConsoleSession, 'state' | 'opened' | 'viewers' | 'isOpen' | 'note' | 'send' | 'interrupted'> {
  readonly log: ServedLog & Pick<EventLog, 'written' | 'add' | 'close'>;
}

/** The sessions of a worker. */
export interface WorkerSessions extends ServedSessions {
  readonly all: readonly OwnedSession[];
  /** Restores a session that another worker left. */
  takeOver(left: LeftSession): Promise<OwnedSession>;
  reopen(session: OwnedSession): Promise<unknown>;
  park(session: OwnedSession): Promise<void>;
  /** Ends its CLI, also one that is about to start. */
  end(session: OwnedSession): Promise<void>;
  remove(session: OwnedSession): Promise<void>;
}

/** Where a worker's sessions come from. */
export interface WorkerSource {
  readonly sessions: WorkerSessions;
  readonly roots: readonly string[];
  readonly run: RunCommand;
  open(): Promise<unknown>;
}
