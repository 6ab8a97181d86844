import type { Position, SessionSummary } from '../../../entry/remote/contract.js';
import type { LogEntry } from '../log/entry.js';

/** A session's numbered events, as its viewers read them. */
export interface ServedLog {
  /** The last number; 0 for an empty log. */
  readonly last: number;
  /** The first number that is still available. */
  readonly first: number;
  /** The first number that is in memory. */
  readonly firstRecent: number;
  /** Called after each addition; the returned function unsubscribes. */
  watch(watcher: () => void): () => void;
  /** The events in memory from a number on; undefined if the number is older than those. */
  recent(from: number): readonly LogEntry[] | undefined;
  /** The events from a number on that are no longer in memory, as far as they are still stored. */
  stored(from: number): AsyncIterable<LogEntry>;
  /** The number at which the latest events start, for about this many characters. */
  startOfTail(characters: number): Promise<number>;
  /** Whether a client that is there has events of this log. If not, they are from another log, or were lost. */
  has(position: Position): Promise<boolean>;
  /** How often events at its end were lost that clients may have: each time, all start over. */
  readonly losses: number;
  /** Whether events are missing before one that does not have the next number. */
  isGap(next: number, found: number): boolean;
}

/** A session as a server shows it to its clients: its own, or one on another machine. */
export interface ServedSession {
  readonly id: string;
  readonly summary: SessionSummary;
  /** The summary after everything that was accepted until now; on a fleet, `summary` may be a moment older. */
  latest(): Promise<SessionSummary>;
  readonly log: ServedLog;
  /** The program that opened it, if that is a client of this server. */
  readonly program: { readonly client: string | undefined; readonly away: boolean };
  /** That program was lost, or is back. */
  ownerChanged(connected: boolean): void;
  /** A viewer has come, or the last one has left. */
  viewersChanged(by: 1 | -1): void;
}

/** The sessions that a server shows. */
export interface ServedSessions {
  /** All sessions, the latest first. */
  readonly all: readonly ServedSession[];
  /** A session that is in the list. */
  known(id: string | undefined): ServedSession | undefined;
  /** A session, even if it is still being created. @throws CoxswainError `SESSION_UNKNOWN`. */
  find(id: string | undefined): Promise<ServedSession>;
  close(): Promise<void>;
}
