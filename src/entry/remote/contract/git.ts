import type { ChangedFile } from './files.js';

/** What git knows of the uncommitted changes in a session's folder. */
export interface GitView {
  /** Whether the folder is in a git repository that is below the roots. */
  readonly inRepository: boolean;
  /** The branch that is checked out; absent if there is none. */
  readonly branch?: string | undefined;
  /** Changed files, by path. A file with staged changes and others is listed twice. */
  readonly files: readonly GitFile[];
  /** Identifies what is staged, for `git.commit`. */
  readonly index: string;
  /** Why nothing can be staged or committed here; absent if it can. */
  readonly refused?: string | undefined;
  /** Whether there are more files than listed. */
  readonly cut: boolean;
}

/** A file with uncommitted changes. */
export interface GitFile extends Omit<ChangedFile, 'edited'> {
  /** Whether these changes are staged. */
  readonly staged: boolean;
}

/** The hunks of a file with uncommitted changes. */
export interface GitFileView {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** Undefined if it is not text, or too long: then it can only be staged as a whole. */
  readonly hunks: readonly GitHunk[] | undefined;
}

/** Some changed lines of a file, with lines around them. */
export interface GitHunk {
  /** Changes with its content and its position. */
  readonly id: string;
  /** The number of its first line, before. */
  readonly oldStart: number;
  /** The number of its first line, now. */
  readonly newStart: number;
  /** Each starts with a space, `+`, `-`, or `\` for a remark. */
  readonly lines: readonly string[];
}
