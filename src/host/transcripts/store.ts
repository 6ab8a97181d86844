/** One line of a transcript, as the CLI wrote it. Everything but `type` is the CLI's business. */
export interface TranscriptEntry {
  /** What it is. */
  type: string;
  /** Its id. */
  uuid?: string;
  /** When it was written. */
  timestamp?: string;
  /** What else it holds. */
  [key: string]: unknown;
}

/** Names a transcript in a store. */
export interface SessionKey {
  /** The project, or any scope of the caller's; by default the folder name that the CLI makes of its cwd. */
  projectKey: string;
  /** The session. */
  sessionId: string;
  /** Of a subagent's transcript only: `subagents/agent-<id>`. Left out for the session's own. */
  subpath?: string;
}

/** What a store keeps beside a session so that a list needs no transcript; made by `foldSummary`. */
export interface StoredSummary {
  /** The session. */
  sessionId: string;
  /** When the store wrote it, by the clock of its `listSessions`. */
  mtime: number;
  /** Kept unchanged. */
  data: Record<string, unknown>;
}

/** Transcripts that live elsewhere: in a database, in a bucket, in memory. */
export interface SessionStore {
  /** Adds entries in the order of the calls. An entry whose `uuid` is already there may be left out. */
  append(key: SessionKey, entries: TranscriptEntry[]): Promise<void>;
  /** All entries of a transcript, or null if none was written. */
  load(key: SessionKey): Promise<TranscriptEntry[] | null>;
  /** The sessions of a project with the time of their last change, in any order. */
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** What `foldSummary` made of each session of a project. */
  listSessionSummaries?(projectKey: string): Promise<StoredSummary[]>;
  /** Removes a transcript; without a subpath also those of its subagents. */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths below a session. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
