// Tools that read, write and search files.
/** The input of the tool Read. */
export type FileReadInput = {
  file_path: string;
  offset?: number;
  limit?: number;
  pages?: string;
  allow_large?: boolean;
};

/** The output of the tool Read. */
export type FileReadOutput =
  | {
      type: 'text';
      file: {
        filePath: string;
        content: string;
        numLines: number;
        startLine: number;
        totalLines: number;
        truncatedByTokenCap?: boolean;
      };
      artifactRead?: {
        slug: string;
        ver: string;
      };
    }
  | {
      type: 'image';
      file: {
        base64: string;
        type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        originalSize: number;
        dimensions?: {
          originalWidth?: number;
          originalHeight?: number;
          displayWidth?: number;
          displayHeight?: number;
        };
      };
    }
  | {
      type: 'notebook';
      file: {
        filePath: string;
        cells: unknown[];
      };
    }
  | {
      type: 'pdf';
      file: {
        filePath: string;
        base64: string;
        originalSize: number;
      };
    }
  | {
      type: 'parts';
      file: {
        filePath: string;
        originalSize: number;
        count: number;
        outputDir: string;
      };
      firstPage?: number;
      pages?: {
        base64: string;
        mediaType: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        error?: string;
      }[];
    };

/** The input of the tool Edit. */
export type FileEditInput = {
  file_path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
};

/** The output of the tool Edit. */
export type FileEditOutput = {
  filePath: string;
  oldString: string;
  newString: string;
  originalFile: string | null;
  structuredPatch: Hunk[];
  userModified: boolean;
  replaceAll: boolean;
  gitDiff?: GitDiff;
  staged?: boolean;
};

/** The input of the tool Write. */
export type FileWriteInput = {
  file_path: string;
  content: string;
};

/** The output of the tool Write. */
export type FileWriteOutput = {
  type: 'create' | 'update';
  filePath: string;
  content: string;
  structuredPatch: Hunk[];
  originalFile: string | null;
  gitDiff?: GitDiff;
  userModified?: boolean;
  staged?: boolean;
};

/** The input of the tool NotebookEdit. */
export type NotebookEditInput = {
  notebook_path: string;
  cell_id?: string;
  new_source: string;
  cell_type?: 'code' | 'markdown';
  edit_mode?: 'replace' | 'insert' | 'delete';
};

/** The output of the tool NotebookEdit. */
export type NotebookEditOutput = {
  new_source: string;
  old_source?: string;
  cell_id?: string;
  cell_type: 'code' | 'markdown';
  language: string;
  edit_mode: string;
  error?: string;
  notebook_path: string;
  original_file: string;
  updated_file: string;
};

/** The input of the tool Glob. */
export type GlobInput = {
  pattern: string;
  path?: string;
};

/** The output of the tool Glob. */
export type GlobOutput = {
  durationMs: number;
  numFiles: number;
  filenames: string[];
  truncated: boolean;
  totalMatches?: number;
  countIsComplete?: boolean;
  timedOut?: boolean;
};

/** The input of the tool Grep. */
export type GrepInput = {
  pattern: string;
  path?: string;
  glob?: string;
  output_mode?: 'content' | 'files_with_matches' | 'count';
  '-B'?: number;
  '-A'?: number;
  '-C'?: number;
  context?: number;
  '-n'?: boolean;
  '-i'?: boolean;
  '-o'?: boolean;
  type?: string;
  head_limit?: number;
  offset?: number;
  multiline?: boolean;
};

/** The output of the tool Grep. */
export type GrepOutput = {
  mode?: 'content' | 'files_with_matches' | 'count';
  numFiles: number;
  filenames: string[];
  content?: string;
  numLines?: number;
  numMatches?: number;
  totalFiles?: number;
  totalLines?: number;
  appliedLimit?: number;
  appliedOffset?: number;
  timedOut?: boolean;
};

/** A changed part of a file. */
export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

/** A change as git shows it. */
export type GitDiff = {
  filename: string;
  status: 'modified' | 'added';
  additions: number;
  deletions: number;
  changes: number;
  patch: string;
  repository?: null | string;
};

/** The input of any of these tools. */
export type AnyFileInput =
  | FileReadInput
  | FileEditInput
  | FileWriteInput
  | NotebookEditInput
  | GlobInput
  | GrepInput;

/** The output of any of these tools. */
export type AnyFileOutput =
  | FileReadOutput
  | FileEditOutput
  | FileWriteOutput
  | NotebookEditOutput
  | GlobOutput
  | GrepOutput;
