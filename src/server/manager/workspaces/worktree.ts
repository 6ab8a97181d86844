import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programInPath } from '../../../wire/transport/process/program-path.js';
import { CoxswainError } from '../../../wire/util/errors.js';

const run = promisify(execFile);

/** Lists files that git ignores but a worktree needs, such as `.env`; patterns as in `.gitignore`. */
const INCLUDED = '.worktreeinclude';

/** A git worktree with its own branch. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** The folder of its repository. */
  readonly repository: string;
}

/** What to do with a worktree at the end. */
export type WorktreeEnd = 'keep' | 'merge' | 'remove';

/** What {@link addWorktree} creates. */
export interface WorktreeOptions {
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** What it starts from. Default: the current `HEAD`. */
  readonly ref?: string | undefined;
}

/** Creates a worktree, or reuses the one that an earlier manager created. */
export async function addWorktree({
  repository,
  path,
  branch,
  ref = 'HEAD',
}: WorktreeOptions): Promise<Worktree> {
  const worktree = { path, branch, repository };
  if (existsSync(join(path, '.git'))) return worktree;
  // A folder that was deleted by hand, or only partly created: git still lists it.
  await git(repository, 'worktree', 'prune');
  const known = await knows(repository, branch);
  const from = known ? [branch] : ['-b', branch, path, ref];
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await git(repository, 'worktree', 'add', ...(known ? [path, ...from] : from));
  // Tools that clean up worktrees leave a locked one alone.
  await git(repository, 'worktree', 'lock', '--reason', 'coxswain', path);
  await copyIncluded(repository, path);
  return worktree;
}

/**
 * Merges the branch into the repository's checked-out branch, removes the worktree, or leaves everything
 * unchanged.
 */
export async function endWorktree({ repository, path, branch }: Worktree, end: WorktreeEnd): Promise<void> {
  if (end === 'keep') return;
  if (end === 'merge') {
    const changes = await git(path, 'status', '--porcelain');
    if (changes !== '') throw failed(`The worktree ${path} has uncommitted changes.`);
    await merge(repository, branch);
  }
  await git(repository, 'worktree', 'unlock', path).catch(() => {});
  await git(repository, 'worktree', 'remove', '--force', path);
  await git(repository, 'branch', end === 'merge' ? '-d' : '-D', branch);
  await rm(path, { recursive: true, force: true });
}

/** A failed merge leaves the repository unchanged. */
async function merge(repository: string, branch: string): Promise<void> {
  try {
    await git(repository, 'merge', '--no-edit', branch);
  } catch (error) {
    const undone = await git(repository, 'merge', '--abort').then(
      () => true,
      () => false,
    );
    if (!undone) throw error;
    throw failed(`The branch ${branch} conflicts with what is checked out in ${repository}.`, error);
  }
}

async function knows(repository: string, branch: string): Promise<boolean> {
  return git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).then(
    () => true,
    () => false,
  );
}

async function copyIncluded(repository: string, path: string): Promise<void> {
  const root = await git(repository, 'rev-parse', '--show-toplevel');
  if (!existsSync(join(root, INCLUDED))) return;
  const names = await git(root, 'ls-files', '-z', '--others', '--ignored', `--exclude-from=${INCLUDED}`);
  for (const name of names.split('\0').filter((each) => each !== '')) {
    await cp(join(root, name), join(path, name), { recursive: true });
  }
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const program = programInPath('git');
  if (program === undefined) throw failed('There is no git in PATH, and worktrees need it.');
  try {
    const { stdout } = await run(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    throw failed(
      `git ${args[0]} ${args[1] ?? ''} failed in ${cwd}: ${stderr?.trim() || String(error)}`,
      error,
    );
  }
}

function failed(message: string, cause?: unknown): CoxswainError {
  return new CoxswainError('WORKSPACE_FAILED', message, { cause });
}
