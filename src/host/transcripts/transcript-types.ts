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
  sessionId: string;
  /** What to show: the title given by the user, one made by the CLI, or the first prompt. */
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  /** Bytes of the transcript; not for a store. */
  fileSize?: number;
  customTitle?: string;
  firstPrompt?: string;
  /** The branch at the end of the session. */
  gitBranch?: string;
  cwd?: string;
  tag?: string;
  /** Milliseconds since 1970. */
  createdAt?: number;
  /** Absent if it never was archived, and for a store. */
  archived?: boolean;
}

/** A message of a conversation as it lies in the transcript. */
export interface SessionMessage {
  type: 'user' | 'assistant' | 'system';
  uuid: string;
  session_id: string;
  message: unknown;
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
