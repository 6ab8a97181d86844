import type { SessionStore } from './store.js';

/** Where a session is looked for. */
export interface SessionPlace {
  /** The working folder of the session; without it every project is searched. */
  readonly dir?: string | undefined;
  /** Read from and write to this store instead of the disk. */
  readonly sessionStore?: SessionStore | undefined;
  /** The CLI's own folder. Default: `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
  readonly configDir?: string | undefined;
}

/** A part of a list. */
export interface Page {
  /** How many at most. */
  readonly limit?: number | undefined;
  /** How many are left out at the start. */
  readonly offset?: number | undefined;
}

/** What is known of a session without reading its whole transcript. */
export interface SessionInfo {
  /** Its id. */
  sessionId: string;
  /** What to show: the title given by the user, one made by the CLI, or the first prompt. */
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  /** Bytes of the transcript; not for a store. */
  fileSize?: number;
  /** The title that somebody gave it. */
  customTitle?: string;
  /** What was said first. */
  firstPrompt?: string;
  /** The branch at the end of the session. */
  gitBranch?: string;
  /** Its working folder. */
  cwd?: string;
  /** A word that somebody marked it with. */
  tag?: string;
  /** Milliseconds since 1970. */
  createdAt?: number;
  /** Absent if it never was archived, and for a store. */
  archived?: boolean;
}

/** A message of a conversation as it lies in the transcript. */
export interface SessionMessage {
  /** Whose message it is. */
  type: 'user' | 'assistant' | 'system';
  /** Its id. */
  uuid: string;
  /** The session. */
  session_id: string;
  /** The message, as the CLI wrote it. */
  message: unknown;
  /** The tool call of the subagent that it belongs to. */
  parent_tool_use_id: string | null;
  /** The subagent that started this subagent; null for one that the session itself started, and for the session. */
  parent_agent_id: string | null;
  /** When it was written, in ISO 8601. */
  timestamp?: string;
  /** Set on the text that took the place of a compacted conversation. */
  isCompactSummary?: boolean;
  /** Who sent it, where the CLI says so and it was no person: such as a task that ended. */
  origin?: Readonly<Record<string, unknown>>;
}
