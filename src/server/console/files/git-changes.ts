import type { ChangedFile } from '../../../entry/remote/contract.js';
import { type GitSettings, namesIn } from '../../manager/workspaces/git.js';
import { withoutFilters } from '../../manager/workspaces/repository-settings.js';
import { readGit } from './git.js';
import { decodedText, MOST_BYTES, readFolderFile } from './read-file.js';

/** What to compare files with. */
export interface Base {
  /** A commit, or the empty tree if there was none. */
  readonly tree: string;
  readonly commit: string | undefined;
}

/** For how many new files to count lines. */
const COUNTED = 100;

/** The commit that was checked out at a time, as far back as git remembers; undefined outside a repository. */
export async function baseOf(folder: string, at: number): Promise<Base | undefined> {
  const inside = await readGit(folder, ['rev-parse', '--is-inside-work-tree']);
  // A folder that git ignores does not belong to git.
  const ignored = await readGit(folder, ['check-ignore', '-q', '.']);
  if (inside?.text.trim() !== 'true' || ignored !== undefined) return undefined;
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  for (const name of [`HEAD@{${time}}`, 'HEAD']) {
    const found = await readGit(folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
    if (found !== undefined) return { tree: found.text.trim(), commit: found.text.trim() };
  }
  const empty = await readGit(folder, ['hash-object', '-t', 'tree', '/dev/null']);
  return empty === undefined ? undefined : { tree: empty.text.trim(), commit: undefined };
}

/** Some files that differ. */
export interface DifferentFiles {
  readonly files: readonly Different[];
  readonly cut: boolean;
}

type Different = Omit<ChangedFile, 'edited'>;

/** The files that differ from a commit, and untracked files. */
export async function gitChanges(folder: string, { tree }: Base): Promise<DifferentFiles> {
  const settings = await withoutFilters(folder);
  return together(await differentFiles(folder, [tree], settings), await untrackedFiles(folder));
}

/** The files that `git diff` lists, with their lines. */
export async function differentFiles(
  folder: string,
  what: readonly string[],
  settings: GitSettings,
): Promise<DifferentFiles> {
  const diff = (as: string) =>
    readGit(folder, ['diff', as, '-z', '--relative', ...PLAIN, ...what, '--', '.'], { settings });
  const [names, counts] = [await diff('--name-status'), await diff('--numstat')];
  const lines = linesIn(counts === undefined ? [] : namesIn(counts.text));
  const files = changesIn(names === undefined ? [] : namesIn(names.text)).map((file) => ({
    ...file,
    ...lines.get(file.path),
  }));
  return { files, cut: [names, counts].some((output) => output === undefined || output.cut) };
}

/** Files that git does not know, and does not ignore. */
export async function untrackedFiles(folder: string): Promise<DifferentFiles> {
  const others = await readGit(folder, ['ls-files', '-z', '--others', '--exclude-standard']);
  const files = await newFiles(folder, others === undefined ? [] : namesIn(others.text));
  return { files, cut: others === undefined || others.cut };
}

/** Several lists as one, by path. */
export function together(...lists: readonly DifferentFiles[]): DifferentFiles {
  const files = lists.flatMap((list) => list.files);
  return {
    files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    cut: lists.some(({ cut }) => cut),
  };
}

/** What makes the output of `git diff` independent of settings. */
export const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/** A file's earlier content; null if it did not exist, undefined if it is not text. */
export async function fileAt(
  folder: string,
  { tree }: Base,
  path: string,
): Promise<{ readonly text: string | null | undefined; readonly cut: boolean }> {
  const output = await readGit(folder, ['cat-file', 'blob', `${tree}:./${path}`], { mostBytes: MOST_BYTES });
  if (output === undefined) return { text: null, cut: false };
  return { text: decodedText(Buffer.from(output.text)), cut: output.cut };
}

/** Pairs of a letter and a path. */
function changesIn(names: readonly string[]): readonly Different[] {
  return names.flatMap((letter, index) => {
    const path = names[index + 1];
    if (index % 2 === 1 || path === undefined) return [];
    return [{ path, how: HOW[letter] ?? 'changed' }];
  });
}

const HOW: Readonly<Record<string, ChangedFile['how']>> = { A: 'added', D: 'removed' };

/** Added and removed lines by path; `-` means that it is not text. */
function linesIn(
  rows: readonly string[],
): ReadonlyMap<string, { readonly added: number; readonly removed: number }> {
  return new Map(
    rows.flatMap((row) => {
      const [, added, removed, path] = /^(\d+)\t(\d+)\t(.+)$/s.exec(row) ?? [];
      return path === undefined ? [] : [[path, { added: Number(added), removed: Number(removed) }] as const];
    }),
  );
}

function newFiles(folder: string, paths: readonly string[]): Promise<readonly Different[]> {
  return Promise.all(
    paths.map(async (path, index) => {
      const file = { path, how: 'added' } as const;
      const read = index < COUNTED ? await readFolderFile(folder, path).catch(() => undefined) : undefined;
      if (read?.text === undefined || read.cut) return file;
      return {
        ...file,
        added: read.text.split('\n').length - (read.text.endsWith('\n') ? 1 : 0),
        removed: 0,
      };
    }),
  );
}
