/** One line of a transcript, as the CLI wrote it. Only `type` is guaranteed. */
export interface TranscriptEntry {
  /** The type. */
  type: string;
  /** Its id. */
  uuid?: string;
  /** When it was written. */
  timestamp?: string;
  /** Other fields. */
  [key: string]: unknown;
}

/** Names a transcript in a store. */
export interface SessionKey {
  /** The project, or any scope you choose. Default: the folder name that the CLI derives from its cwd. */
  projectKey: string;
  /** The session. */
  sessionId: string;
  /** For the transcript of a subagent: `subagents/agent-<id>`. Absent for the session's own. */
  subpath?: string;
}

/** A summary of a session in a store, created by `foldSummary`, so that lists need no transcripts. */
export interface StoredSummary {
  /** The session. */
  sessionId: string;
  /** When the store wrote it, on the same clock as `listSessions`. */
  mtime: number;
  /** Kept unchanged. */
  data: Record<string, unknown>;
}

/** Transcripts that are stored elsewhere: in a database, a bucket, or in memory. */
export interface SessionStore {
  /** Adds entries in the order of the calls. An entry whose `uuid` is already there may be left out. */
  append(key: SessionKey, entries: TranscriptEntry[]): Promise<void>;
  /** All entries of a transcript, or null if none was written. */
  load(key: SessionKey): Promise<TranscriptEntry[] | null>;
  /** Returns the sessions of a project with the time of their last change, in any order. */
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** Returns the `foldSummary` results of all sessions of a project. */
  listSessionSummaries?(projectKey: string): Promise<StoredSummary[]>;
  /** Removes a transcript; without a subpath also those of its subagents. */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths below a session. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
