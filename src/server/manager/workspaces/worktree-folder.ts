import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { git } from './git.js';

/** A git worktree with its own branch. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** A folder of its repository. */
  readonly repository: string;
}

/** The folder in which git keeps what belongs to a worktree; undefined if the worktree is gone. */
export async function gitFolder(path: string): Promise<string | undefined> {
  const [, folder] = /^gitdir: (.+)$/m.exec((await readIfThere(join(path, '.git'))) ?? '') ?? [];
  return folder === undefined ? undefined : resolve(path, folder);
}

/** The same folder, even if somebody has deleted the worktree's files: git keeps it until it prunes worktrees. */
export async function keptGitFolder({
  repository,
  path,
}: Pick<Worktree, 'repository' | 'path'>): Promise<string | undefined> {
  const known = await gitFolder(path);
  if (known !== undefined) return known;
  const common = await git(repository, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  const pointers = [path, join(parent, basename(path))].map((folder) => join(folder, '.git'));
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  for (const name of names) {
    const folder = join(common, 'worktrees', name);
    const pointer = (await readIfThere(join(folder, 'gitdir')))?.trim();
    if (pointer !== undefined && pointers.includes(pointer)) return folder;
  }
  return undefined;
}

/** The text of a file; undefined if it cannot be read. */
export function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
