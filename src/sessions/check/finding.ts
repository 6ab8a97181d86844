/** What can be wrong with a transcript. */
export type FindingCode =
  | 'EMPTY_FILE'
  | 'CUT_LINE'
  | 'INVALID_JSON'
  | 'NOT_AN_ENTRY'
  | 'MISSING_PARENT'
  | 'PARENT_LOOP'
  | 'DUPLICATE_UUID'
  | 'UNANSWERED_TOOL_USE'
  | 'ORPHAN_TOOL_RESULT'
  | 'EMPTY_TEXT'
  | 'MIXED_SESSIONS'
  | 'SIDECHAIN_WITHOUT_OWNER'
  | 'NO_CONVERSATION'
  | 'UNREADABLE';

/** One thing that was found in a transcript. */
export interface TranscriptFinding {
  readonly code: FindingCode;
  /** `error` breaks the conversation, `warning` loses a part of it, `note` is only worth knowing. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The line it is about, from 1; undefined for the file as a whole. */
  readonly line?: number;
  /** What was found. */
  readonly what: string;
  /** What comes of it. */
  readonly means: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** What was found in one file. */
export interface TranscriptReport {
  readonly file: string;
  readonly sessionId: string | undefined;
  readonly lines: number;
  readonly findings: readonly TranscriptFinding[];
}
