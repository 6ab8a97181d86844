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
