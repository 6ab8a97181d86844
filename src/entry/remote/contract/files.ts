/** Files of a session's folder. */
export interface FilesView {
  /** Paths in the folder, with `/`; those of folders end with one. */
  readonly files: readonly string[];
  /** Whether the folder has more files than are looked at. */
  readonly cut: boolean;
}

/** A file of a session's folder. */
export interface FileView {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** Its text, or the beginning of it; undefined for what is no text. */
  readonly text: string | undefined;
  /** Whether the text is only the beginning. */
  readonly cut: boolean;
}

/** What has changed in a session's folder. */
export interface ChangesView {
  /** What files are compared with: a commit of git, or what they held before the session's tools edited them. */
  readonly against: 'git' | 'edits';
  /** With git: the commit that was checked out when the session began; undefined where there was none. */
  readonly commit?: string | undefined;
  /** The files that are not as they were, by path. */
  readonly files: readonly ChangedFile[];
  /** Whether there are more than are listed. */
  readonly cut: boolean;
}

/** A file that is not as it was. */
export interface ChangedFile {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** What has become of it. */
  readonly how: 'added' | 'changed' | 'removed';
  /** Whether a tool of this session edited it; commands and others change files too. */
  readonly edited: boolean;
  /** How many lines are new, where that is known. */
  readonly added?: number | undefined;
  /** How many lines are gone, where that is known. */
  readonly removed?: number | undefined;
}

/** A changed file, before and now. */
export interface ChangeView {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** Its text before; null where there was no file, undefined for what is no text. */
  readonly before: string | null | undefined;
  /** Its text now; null where there is no file, undefined for what is no text. */
  readonly after: string | null | undefined;
  /** Whether one of the two is only a beginning. */
  readonly cut: boolean;
}

/** A git worktree that the server has made for a session. */
export interface WorktreeView {
  /** Its name, by which it is ended. */
  readonly name: string;
  /** Where it lies. */
  readonly path: string;
  /** The repository that it was made from. */
  readonly repository: string;
  /** Its branch. */
  readonly branch: string;
  /** The size of its files. */
  readonly bytes: number;
  /** Whether it has more files than were counted. */
  readonly atLeast: boolean;
  /** How many files have changes that are not committed. */
  readonly uncommitted: number;
  /** How many commits it has that are not checked out in the repository. */
  readonly commits: number;
  /** The sessions that work in it, or did. */
  readonly sessions: readonly string[];
}
