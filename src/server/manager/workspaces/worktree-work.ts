import { existsSync } from 'node:fs';
import { copyFile, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSettings, git, listGit, tryGit } from './git.js';
import type { TrackedWork } from './kept-work.js';
import { withoutFilters } from './repository-settings.js';
import { includedFiles } from './worktree.js';
import { gitFolder, type Worktree } from './worktree-folder.js';

/** What is in a worktree. */
export interface Work extends TrackedWork {
  /** What no commit holds: ignored files, except unchanged copies of the repository's, and repositories inside. */
  readonly ignored: readonly string[];
  /** The repositories among them that git does not ignore. */
  readonly repositories: readonly string[];
}

/** Looks at everything in a worktree, and changes nothing. */
export async function workIn({ path, repository }: Pick<Worktree, 'path' | 'repository'>): Promise<Work> {
  const settings = await withoutFilters(path);
  const head = await tryGit(path, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const tree = await tryGit(path, ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}']);
  const repositories = await repositoriesIn(path);
  const { index, files } = await treesOf(path, settings, repositories);
  const ignored = [...repositories, ...(await ignoredFiles({ path, repository }))];
  return { head, index, files, isClean: index === tree && files === tree, ignored, repositories };
}

/** What no commit holds; the same list as in {@link Work.ignored}. @throws if git cannot list it. */
export async function ignoredIn(worktree: Pick<Worktree, 'path' | 'repository'>): Promise<readonly string[]> {
  return [...(await repositoriesIn(worktree.path)), ...(await ignoredFiles(worktree))];
}

/** Ignored files, except unchanged copies of the repository's. */
async function ignoredFiles({
  path,
  repository,
}: Pick<Worktree, 'path' | 'repository'>): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'];
  const names = await listGit(path, list);
  if (names.length === 0) return [];
  const { root, names: copied } = await includedFiles(repository);
  const isOurs = new Set(copied);
  const found: string[] = [];
  for (const name of names)
    if (!isOurs.has(name) || !(await isSame(join(root, name), join(path, name)))) found.push(name);
  return found;
}

/** Names for people: repositories, and files by the folder at the top that they are in. */
export function summaryOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => (name.endsWith('/') ? name : name.replace(/\/.*$/s, '/'))))];
}

/** The trees of the index and of the files, by way of a copy of the index. */
async function treesOf(
  path: string,
  settings: GitSettings,
  repositories: readonly string[],
): Promise<Pick<Work, 'index' | 'files'>> {
  const folder = (await gitFolder(path)) ?? '';
  const copy = join(folder, 'coxswain-index');
  const options = { settings, env: { GIT_INDEX_FILE: copy } };
  try {
    // Without an index, all files are untracked.
    if (existsSync(join(folder, 'index'))) await copyWithTimes(join(folder, 'index'), copy);
    const index = await tryGit(path, ['write-tree'], options);
    // Git compares files with these flags only after the flags are gone.
    const flagged = (await listGit(path, ['ls-files', '-v', '-z'], options))
      .filter((line) => /^[a-zS] /.test(line))
      .map((line) => line.slice(2))
      .filter((name) => existsSync(join(path, name)));
    for (const flag of flagged.length === 0 ? [] : ['--no-assume-unchanged', '--no-skip-worktree'])
      await git(path, ['update-index', flag, '--', ...flagged], options);
    const others = repositories.map((name) => `:(exclude,literal,top)${name}`);
    await git(path, ['add', '--all', '--', ':/', ...others], options);
    return { index, files: await git(path, ['write-tree'], options) };
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

/** Git compares the content of a file that is as new as the index: a newer copy would hide its changes. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

/** Repositories inside a worktree: git would keep the name of their commit only. */
async function repositoriesIn(path: string): Promise<readonly string[]> {
  const untracked = await listGit(path, ['ls-files', '-z', '--others', '--exclude-standard']);
  const staged = await listGit(path, ['ls-files', '-z', '--stage']);
  const submodules = staged
    .filter((line) => line.startsWith('160000'))
    .map((line) => `${line.slice(line.indexOf('\t') + 1)}/`)
    .filter((name) => existsSync(join(path, name, '.git')));
  return [...untracked.filter((name) => name.endsWith('/')), ...submodules];
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [text, copy] = await Promise.all([one, other].map((file) => readFile(file).catch(() => undefined)));
  return text !== undefined && copy !== undefined && text.equals(copy);
}
