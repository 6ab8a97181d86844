/** Files of a session's folder. */
export interface FilesView {
  /** Paths in the folder, with `/`; those of folders end with one. */
  readonly files: readonly string[];
  /** Whether the folder has more files than were searched. */
  readonly cut: boolean;
}

/** A file of a session's folder. */
export interface FileView {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** Its text, or the first part of it; undefined if it is not text. */
  readonly text: string | undefined;
  /** Whether the text is only the first part. */
  readonly cut: boolean;
  /** Identifies its content, for `file.save`; absent if it cannot be edited: not UTF-8, or longer than what is read. */
  readonly version?: string | undefined;
  /** The whole file, if it is a PNG, JPEG, GIF or WebP image of at most 1 MiB. */
  readonly image?: { readonly type: string; readonly data: string } | undefined;
}

/** What a folder in a session's folder contains. */
export interface FolderView {
  /** Its path in the session's folder, with `/`; empty for that folder itself. */
  readonly path: string;
  /** Folders first, then files, by name. */
  readonly entries: readonly FolderEntry[];
  /** Whether there are more than listed. */
  readonly cut: boolean;
}

/** Something in a folder. */
export interface FolderEntry {
  /** Its name. */
  readonly name: string;
  /** What it is. A `link` is opened only if it leads to something in the session's folder. */
  readonly kind: 'folder' | 'file' | 'link' | 'other';
}

/** A file to write. */
export interface SaveParams {
  /** Its path in the folder. Its own folder must exist. */
  readonly path: string;
  /** Its new text: at most 1 MiB. */
  readonly text: string;
  /** The version that you read; null for a new file. */
  readonly version: string | null;
}

/** The changes in a session's folder. */
export interface ChangesView {
  /** What files are compared with: a git commit, or their contents before the session's tools edited them. */
  readonly against: 'git' | 'edits';
  /** With git: the commit that was checked out when the session began; undefined if there was none. */
  readonly commit?: string | undefined;
  /** The changed files, by path. */
  readonly files: readonly ChangedFile[];
  /** Whether there are more than listed. */
  readonly cut: boolean;
}

/** A changed file. */
export interface ChangedFile {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** The kind of change. */
  readonly how: 'added' | 'changed' | 'removed';
  /** Whether a tool of this session edited it; commands and other programs change files too. */
  readonly edited: boolean;
  /** The number of added lines, if known. */
  readonly added?: number | undefined;
  /** The number of removed lines, if known. */
  readonly removed?: number | undefined;
}

/** A changed file, before and now. */
export interface ChangeView {
  /** Its path in the folder, with `/`. */
  readonly path: string;
  /** Its text before; null if there was no file, undefined if it is not text. */
  readonly before: string | null | undefined;
  /** Its text now; null if there is no file, undefined if it is not text. */
  readonly after: string | null | undefined;
  /** Whether either text is only the first part. */
  readonly cut: boolean;
}

/** A git worktree that the server created for a session. */
export interface WorktreeView {
  /** Its name, for `worktrees.end`. */
  readonly name: string;
  /** Its folder. */
  readonly path: string;
  /** The repository that it was made from. */
  readonly repository: string;
  /** The branch that is checked out in it; absent if there is none. */
  readonly branch?: string | undefined;
  /**
   * What is lost when it ends: files and folders at its top that git ignores, and repositories inside it. Copies of
   * ours are left out. Absent if git could not list them.
   */
  readonly ignored?: readonly string[] | undefined;
  /** The size of its files. */
  readonly bytes: number;
  /** Whether it has more files than were counted. */
  readonly atLeast: boolean;
  /** The number of files with uncommitted changes. */
  readonly uncommitted: number;
  /** The number of its commits that are not checked out in the repository. */
  readonly commits: number;
  /** The sessions that work in it, or did. */
  readonly sessions: readonly string[];
}
