/** The codes of transcript findings. */
export type FindingCode = keyof typeof EXPLANATIONS;

/** A problem found in a transcript. */
export interface TranscriptFinding {
  /** The code of the finding. */
  readonly code: FindingCode;
  /** `error` breaks the conversation, `warning` loses a part of it, `note` is for information only. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The line it is about, from 1; undefined for the file as a whole. */
  readonly line: number | undefined;
  /** What was found, as a sentence. */
  readonly what: string;
  /** The consequence. */
  readonly means: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Whether the user has to do anything. */
  readonly needsAction: boolean;
}

/** The findings of one file. */
export interface TranscriptReport {
  /** The file. */
  readonly file: string;
  /** The number of lines. */
  readonly lines: number;
  /** The number of messages of its conversation, as `sessionMessages` returns them. */
  readonly messages: number;
  /** The findings. */
  readonly findings: readonly TranscriptFinding[];
  /** How many further findings were not kept. */
  readonly more: number;
}

/** What each finding means and what to do about it. */
const EXPLANATIONS = {
  UNREADABLE: {
    severity: 'error',
    means: 'The session can neither be listed nor resumed.',
    remedy: 'Check the permissions of the file and its folder.',
  },
  EMPTY_FILE: {
    severity: 'note',
    means: 'There is nothing to resume. CLI 2.0.73 leaves such a file each time it resumes another session.',
    remedy: 'Delete the file, or leave it: it is not listed.',
  },
  NO_CONVERSATION: {
    severity: 'warning',
    means: 'There is no message from a user or the model, so there is nothing to resume.',
    remedy: 'Delete the session, or leave it: it is not listed.',
  },
  CUT_LINE: {
    severity: 'warning',
    means:
      'The writer was killed, or the disk was full. This line is lost; the CLI skips it and continues from the previous message.',
    remedy: 'No action needed; repeat the missing step if necessary.',
  },
  INVALID_JSON: {
    severity: 'warning',
    means: 'Readers skip the line; messages after it lose everything before it.',
    remedy: 'Fork the session up to the last good message (forkSession with upToMessageId).',
  },
  NOT_AN_ENTRY: {
    severity: 'note',
    means: 'It is JSON, but not written by a CLI; readers skip it.',
    remedy: 'Find out what else writes to this file.',
  },
  LINE_TOO_LONG: {
    severity: 'warning',
    means: 'Coxswain skips it to limit memory use.',
    remedy: 'Check what was pasted into the conversation there.',
  },
  MISSING_PARENT: {
    severity: 'error',
    means:
      'In CLIs up to 2.1.17 a resumed conversation begins here: earlier messages are not sent to the model. 2.1.326 tries to restore the link.',
    remedy:
      'See the remaining messages with `coxswain sessions show`. Fork before the gap, or give a new session the context it needs.',
  },
  PARENT_LOOP: {
    severity: 'error',
    means:
      'CLIs up to 2.1.17 hang when they resume it: they never answer initialize. 2.1.326 breaks the loop somewhere.',
    remedy: 'Fork the session up to a message before the loop, and continue in the fork.',
  },
  DUPLICATE_UUID: {
    severity: 'warning',
    means: 'Only the last of them counts. Two processes resumed the session at once, or files were merged.',
    remedy: 'Let one process at a time write to a session; fork it for a second one.',
  },
  UNANSWERED_TOOL_USE: {
    severity: 'warning',
    means:
      'Unless the tool is still running, it was interrupted. The API answers 400 to a call without a result. CLIs from 2.0.73 to 2.1.326 leave the call out or make up a result when they resume; others may send it in every turn.',
    remedy:
      'Resume it and tell the model what happened to the tool. If every turn fails, fork up to the message before the call.',
  },
  ORPHAN_TOOL_RESULT: {
    severity: 'error',
    means:
      'CLIs up to 2.1.17 resume and send it in every turn, and the API answers 400 to a result without its call. 2.1.326 leaves it out.',
    remedy:
      'Fork the session up to the message before it and continue in the fork, or resume with a newer CLI.',
  },
  EMPTY_TEXT: {
    severity: 'error',
    means:
      'CLIs up to 2.1.17 resume and send it in every turn, and the API answers 400 to an empty text. 2.1.326 leaves it out.',
    remedy:
      'Fork the session up to the message before it and continue in the fork, or resume with a newer CLI.',
  },
  MIXED_SESSIONS: {
    severity: 'note',
    means:
      'CLIs up to 2.1.17 keep the old id in entries that they copy into a fork. Otherwise files were mixed up.',
    remedy: 'Nothing, if this session is a fork.',
  },
  WRONG_SESSION: {
    severity: 'warning',
    means: 'No entry belongs to the session in the file name: the file was renamed or copied manually.',
    remedy: 'Use forkSession to copy a session.',
  },
  SIDECHAIN_WITHOUT_OWNER: {
    severity: 'note',
    means: 'The session that started this subagent is gone; nothing refers to this file.',
    remedy: 'Delete it if it is not needed.',
  },
} as const;

/** Worth a warning, but in the past: there is nothing to do about them. */
const HARMLESS: ReadonlySet<FindingCode> = new Set<FindingCode>(['NO_CONVERSATION', 'CUT_LINE']);

/** Creates a finding with its explanation. */
function finding(code: FindingCode, what: string, line?: number): TranscriptFinding {
  const needsAction = EXPLANATIONS[code].severity !== 'note' && !HARMLESS.has(code);
  return { code, line, what, ...EXPLANATIONS[code], needsAction };
}

/** How many findings of one kind are kept: a broken gigabyte file must not fill the memory. */
const KEPT_PER_CODE = 20;

/** Collects findings, the first ones of each kind. */
export class Findings {
  readonly #kept: TranscriptFinding[] = [];
  readonly #counts = new Map<FindingCode, number>();
  #more = 0;

  add(code: FindingCode, what: string, line?: number): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= KEPT_PER_CODE) this.#kept.push(finding(code, what, line));
    else this.#more += 1;
  }

  /** How many were not kept. */
  get more(): number {
    return this.#more;
  }

  /** By line; findings about the whole file come last. */
  get sorted(): readonly TranscriptFinding[] {
    const place = ({ line }: TranscriptFinding) => line ?? Number.POSITIVE_INFINITY;
    return this.#kept.toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
  }
}
