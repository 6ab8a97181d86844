import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type GitLimits, git, namesIn, tryGit, workspaceFailed } from './git.js';
import { keepWork } from './kept-work.js';
import { gitFolder, keptGitFolder, readIfThere, type Worktree } from './worktree-folder.js';

/** Lists files that git ignores but a worktree needs, such as `.env`; patterns as in `.gitignore`. */
const INCLUDED = '.worktreeinclude';
/** Why git locks a worktree; written last, so it also says that the worktree is complete. */
const REASON = 'coxswain';

/** What {@link addWorktree} creates. */
export interface WorktreeOptions extends Worktree, GitLimits {
  /** What it starts from; a branch of a remote is fetched first. Default: `HEAD`. */
  readonly ref?: string | undefined;
  /** The current time, in milliseconds since 1970. */
  readonly now?: number | undefined;
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

/** Whether its creation got to the end. */
export async function isComplete(path: string): Promise<boolean> {
  const folder = await gitFolder(path);
  const reason = folder === undefined ? undefined : await readIfThere(join(folder, 'locked'));
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
  await tryGit(repository, ['worktree', 'unlock', path], options);
  await git(repository, ['worktree', 'lock', '--reason', REASON, path], options);
}

/** Checks out the branch, which may exist already; `partial` is the git folder of an interrupted attempt. */
async function checkOut(options: WorktreeOptions, partial: string | undefined): Promise<void> {
  const { repository, path, branch, ref = 'HEAD' } = options;
  if (partial !== undefined && existsSync(partial)) await rm(path, { recursive: true, force: true });
  // Git still lists a folder that is gone, and forgets what was checked out there.
  if ((await keptGitFolder(options)) !== undefined)
    await keepWork(options, undefined, { now: options.now ?? Date.now(), keepsBranch: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await forget(options);
  if (await knows(options))
    return void (await git(repository, ['worktree', 'add', path, branch], withHooks(options)));
  await fetchRemote(ref, options);
  await git(repository, ['worktree', 'add', '--no-track', '-b', branch, path, ref], withHooks(options));
}

/** A new worktree is set up as its user does it: with hooks, filters and remotes. */
function withHooks({ signal, limitMs }: GitLimits) {
  return { signal, limitMs, runsHooks: true };
}

/** Gets the latest commits of a branch like `origin/main`. */
async function fetchRemote(ref: string, options: WorktreeOptions): Promise<void> {
  const { repository } = options;
  const remotes = (await git(repository, ['remote'], options)).split('\n');
  const remote = remotes.find((name) => name !== '' && ref.startsWith(`${name}/`));
  if (remote === undefined) return;
  try {
    const args = ['fetch', '--no-tags', '--', remote, ref.slice(remote.length + 1)];
    await git(repository, args, withHooks(options));
  } catch (error) {
    const { message } = error as Error;
    throw workspaceFailed(`${ref} could not be fetched for a new worktree. ${message}`, error);
  }
}

/** Whether its branch exists. */
export function knows({
  repository,
  branch,
  ...limits
}: Pick<Worktree, 'repository' | 'branch'> & GitLimits): Promise<boolean> {
  return git(repository, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], limits).then(
    () => true,
    () => false,
  );
}

/** Makes git forget a worktree whose folder is gone. Others stay listed: their folders may come back. */
export async function forget({ repository, path, ...limits }: Worktree & GitLimits): Promise<void> {
  // Git takes an empty folder for a damaged worktree.
  await rmdir(path).catch(() => {});
  // Twice, because it may be locked.
  await tryGit(repository, ['worktree', 'remove', '--force', '--force', path], limits);
}

async function copyIncluded({ repository, path, ...limits }: WorktreeOptions): Promise<void> {
  const { root, names } = await includedFiles(repository, limits);
  for (const name of names) if (!existsSync(join(path, name))) await copy(join(root, name), join(path, name));
}

/** The ignored files of a repository that its worktrees get copies of. */
export async function includedFiles(
  repository: string,
  limits: GitLimits = {},
): Promise<{ readonly root: string; readonly names: readonly string[] }> {
  const root = await git(repository, ['rev-parse', '--show-toplevel'], limits);
  if (!existsSync(join(root, INCLUDED))) return { root, names: [] };
  const list = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${INCLUDED}`];
  return { root, names: namesIn(await git(root, list, limits)) };
}

/** Renaming is atomic: a file that is there is whole. */
async function copy(from: string, to: string): Promise<void> {
  const part = `${resolve(to)}.coxswain-part`;
  await cp(from, part, { recursive: true });
  await rename(part, resolve(to));
}
