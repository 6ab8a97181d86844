import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type GitLimits, git, workspaceFailed } from './git.js';

/** Lists files that git ignores but a worktree needs, such as `.env`; patterns as in `.gitignore`. */
const INCLUDED = '.worktreeinclude';
/** Why git locks a worktree; written last, so it also says that the worktree is complete. */
const REASON = 'coxswain';

/** A git worktree with its own branch. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** A folder of its repository. */
  readonly repository: string;
}

/** What to do with a worktree at the end. */
export type WorktreeEnd = 'keep' | 'merge' | 'remove';

/** What {@link addWorktree} creates. */
export interface WorktreeOptions extends Worktree, GitLimits {
  /** What it starts from; a branch of a remote is fetched first. Default: `HEAD`. */
  readonly ref?: string | undefined;
}

/**
 * Creates a worktree, completes one whose creation was interrupted, or reuses a complete one. Returns the folder in it
 * that corresponds to the repository's folder.
 */
export async function addWorktree(options: WorktreeOptions): Promise<{ readonly cwd: string }> {
  const { repository, path } = options;
  const prefix = await git(repository, ['rev-parse', '--show-prefix'], options);
  if (!(await isComplete(path))) await complete(options);
  const cwd = join(path, prefix);
  // Git has no empty folders.
  await mkdir(cwd, { recursive: true });
  return { cwd };
}

/**
 * Merges the branch into the repository's checked-out branch, removes the worktree, or leaves everything
 * unchanged.
 */
export async function endWorktree({ repository, path, branch }: Worktree, end: WorktreeEnd): Promise<void> {
  if (end === 'keep') return;
  // It may never have been created, or its end was interrupted.
  const isKnown = await knows({ repository, branch });
  if (end === 'merge') {
    const changes = existsSync(path) ? await git(path, ['status', '--porcelain']) : '';
    if (changes !== '') throw workspaceFailed(`The worktree ${path} has uncommitted changes.`);
    if (isKnown) await merge(repository, branch);
  }
  await unlock({ repository, path });
  await rm(path, { recursive: true, force: true });
  await git(repository, ['worktree', 'prune']);
  if (isKnown) await git(repository, ['branch', end === 'merge' ? '-d' : '-D', branch]);
}

async function isComplete(path: string): Promise<boolean> {
  const folder = await gitFolder(path);
  const reason = folder === undefined ? undefined : await textOf(join(folder, 'locked'));
  return reason?.trim() === REASON;
}

async function complete(options: WorktreeOptions): Promise<void> {
  const { repository, path } = options;
  const folder = await gitFolder(path);
  // Git writes the index when all files are there.
  const isCheckedOut = folder !== undefined && existsSync(join(folder, 'index'));
  if (isCheckedOut) await rm(join(folder, 'index.lock'), { force: true });
  else await checkOut(options, folder);
  await copyIncluded(options);
  // Tools that clean up worktrees leave a locked one alone.
  await unlock(options);
  await git(repository, ['worktree', 'lock', '--reason', REASON, path], options);
}

/** Checks out the branch, which may exist already; `partial` is the git folder of an interrupted attempt. */
async function checkOut(options: WorktreeOptions, partial: string | undefined): Promise<void> {
  const { repository, path, branch, ref = 'HEAD' } = options;
  await unlock(options);
  if (partial !== undefined && existsSync(partial)) await rm(path, { recursive: true, force: true });
  // Git still lists a folder that is gone.
  await git(repository, ['worktree', 'prune'], options);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (await knows(options)) return void (await git(repository, ['worktree', 'add', path, branch], options));
  await fetchRemote(ref, options);
  await git(repository, ['worktree', 'add', '--no-track', '-b', branch, path, ref], options);
}

/** Gets the latest commits of a branch like `origin/main`. */
async function fetchRemote(ref: string, options: WorktreeOptions): Promise<void> {
  const { repository } = options;
  const remotes = (await git(repository, ['remote'], options)).split('\n');
  const remote = remotes.find((name) => name !== '' && ref.startsWith(`${name}/`));
  if (remote === undefined) return;
  try {
    await git(repository, ['fetch', '--no-tags', '--', remote, ref.slice(remote.length + 1)], options);
  } catch (error) {
    const { message } = error as Error;
    throw workspaceFailed(`${ref} could not be fetched for a new worktree. ${message}`, error);
  }
}

/** A failed merge leaves the repository unchanged. */
async function merge(repository: string, branch: string): Promise<void> {
  try {
    await git(repository, ['merge', '--no-edit', branch]);
  } catch (error) {
    const undone = await git(repository, ['merge', '--abort']).then(
      () => true,
      () => false,
    );
    if (!undone) throw error;
    throw workspaceFailed(`The branch ${branch} conflicts with what is checked out in ${repository}.`, error);
  }
}

function knows({
  repository,
  branch,
  ...limits
}: Pick<Worktree, 'repository' | 'branch'> & GitLimits): Promise<boolean> {
  return git(repository, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], limits).then(
    () => true,
    () => false,
  );
}

async function unlock({
  repository,
  path,
  ...limits
}: Pick<Worktree, 'repository' | 'path'> & GitLimits): Promise<void> {
  await git(repository, ['worktree', 'unlock', path], limits).catch(() => {});
}

async function copyIncluded({ repository, path, ...limits }: WorktreeOptions): Promise<void> {
  const root = await git(repository, ['rev-parse', '--show-toplevel'], limits);
  if (!existsSync(join(root, INCLUDED))) return;
  const list = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${INCLUDED}`];
  const names = (await git(root, list, limits)).split('\0').filter((each) => each !== '');
  for (const name of names) if (!existsSync(join(path, name))) await copy(join(root, name), join(path, name));
}

/** Renaming is atomic: a file that is there is whole. */
async function copy(from: string, to: string): Promise<void> {
  const part = `${resolve(to)}.coxswain-part`;
  await cp(from, part, { recursive: true });
  await rename(part, resolve(to));
}

/** The folder in which git keeps what belongs to a worktree. */
async function gitFolder(path: string): Promise<string | undefined> {
  const [, folder] = /^gitdir: (.+)$/m.exec((await textOf(join(path, '.git'))) ?? '') ?? [];
  return folder === undefined ? undefined : resolve(path, folder);
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
