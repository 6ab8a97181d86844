import type { SessionSummary } from '../../../entry/remote/contract.js';
import type { LogEntry } from '../log/entry.js';

/** The numbered events of a session, as those read them who show them. */
export interface ServedLog {
  /** The last number; 0 for an empty log. */
  readonly last: number;
  /** The first number that is still there. */
  readonly first: number;
  /** The first number that is in memory. */
  readonly firstRecent: number;
  /** Is called after each addition; the returned function stops that. */
  watch(watcher: () => void): () => void;
  /** The events from a number on that are in memory; undefined if it is older than those. */
  recent(from: number): readonly LogEntry[] | undefined;
  /** The events from a number on that are not in memory any more, as far as they are still kept. */
  stored(from: number): AsyncIterable<LogEntry>;
  /** The number that the latest events begin with, where about this many characters of them are wanted. */
  startOfTail(characters: number): Promise<number>;
  /** Whether something is missing where an event follows that does not have the next number. */
  isGap(next: number, found: number): boolean;
}

/** A session, as a server shows it to its clients: its own, or one of another machine. */
export interface ServedSession {
  readonly id: string;
  readonly summary: SessionSummary;
  readonly log: ServedLog;
  /** The program that opened it, if that is a client of this server. */
  readonly program: { readonly client: string | undefined; readonly away: boolean };
  /** That program was lost, or is there again. */
  ownerChanged(connected: boolean): void;
  /** Somebody looks on, or does no more. */
  viewersChanged(by: 1 | -1): void;
}

/** The sessions that a server shows. */
export interface ServedSessions {
  /** All sessions, the latest first. */
  readonly all: readonly ServedSession[];
  /** A session, also one that is just being made. @throws CoxswainError `SESSION_UNKNOWN`. */
  find(id: string | undefined): Promise<ServedSession>;
  close(): Promise<void>;
}
