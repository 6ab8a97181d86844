import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WireObject } from '../../../../wire/protocol/frames.js';

const GIT = ['diff', 'HEAD', '--no-color', '--no-ext-diff', '--no-prefix'] as const;

/** The changes in a working folder since its last commit, as `get_workspace_diff` reports them. */
export async function workspaceDiff(cwd: string): Promise<WireObject> {
  if (!existsSync(join(cwd, '.git'))) return { diff: null, noDiffReason: 'no-repository' };
  const files = readDiff(await gitDiff(cwd));
  return {
    diff: {
      stats: {
        filesCount: files.length,
        linesAdded: files.reduce((sum, { added }) => sum + added, 0),
        linesRemoved: files.reduce((sum, { removed }) => sum + removed, 0),
      },
      perFileStats: files.map(({ hunks: _, ...file }) => ({ ...file, isBinary: false, isUntracked: false })),
      omitted: { files: 0, exact: true },
      hunks: files.map(({ path, hunks }) => ({ path, hunks })),
      skippedLarge: [],
      restricted: [],
      source: { kind: 'working-tree' },
    },
  };
}

/** git's output; empty if it fails, as before the first commit. */
function gitDiff(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile('git', GIT, { cwd, timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }, (error, text) =>
      resolve(error === null ? text : ''),
    );
  });
}

interface ChangedFile {
  readonly path: string;
  status: 'modified' | 'added' | 'deleted';
  added: number;
  removed: number;
  readonly hunks: WireObject[];
}

function readDiff(text: string): readonly ChangedFile[] {
  return text
    .split(/^diff --git /m)
    .slice(1)
    .map(readFile);
}

function readFile(text: string): ChangedFile {
  const [head = '', ...hunks] = text.split(/^@@ /m);
  const lines = hunks.flatMap((hunk) => hunk.split('\n').slice(1));
  return {
    path: /^(.+) \1$/m.exec(head)?.[1] ?? '',
    status: /^new file/m.test(head) ? 'added' : /^deleted file/m.test(head) ? 'deleted' : 'modified',
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    hunks: hunks.map(readHunk),
  };
}

function readHunk(text: string): WireObject {
  const [head = '', ...lines] = text.replace(/\n$/, '').split('\n');
  const [, oldStart, oldLines = 1, newStart, newLines = 1] =
    /^-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(head) ?? [];
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    lines,
  };
}
