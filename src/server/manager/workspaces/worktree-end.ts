import { existsSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonNotToCommit, refuseUnderWay, unsigned } from './committing.js';
import { git, tryGit, workspaceFailed } from './git.js';
import { keepWork, keptHead } from './kept-work.js';
import {
  definesHooks,
  filesAreElsewhere,
  filterNeeded,
  filterNeededBy,
  programsNeeded,
} from './repository-settings.js';
import { forget, isComplete, knows } from './worktree.js';
import { gitFolder, type Worktree } from './worktree-folder.js';
import { summaryOf, type Work, workIn } from './worktree-work.js';

/** What to do with a worktree at the end. */
export type WorktreeEnd = 'keep' | 'merge' | 'remove';

/** Options for ending a worktree. */
export interface WorktreeEndOptions {
  /**
   * Deletes files in it that git ignores, and repositories inside it: all, or those with these names, as in a refusal.
   * Default: refuse, and list them.
   */
  readonly discardIgnored?: boolean | readonly string[] | undefined;
}

/**
 * Merges what is checked out in a worktree into the repository's branch and removes the worktree, removes it and keeps
 * its work under a ref for 30 days, or leaves everything unchanged. Nothing that the repository's settings name runs.
 */
export async function endWorktree(
  worktree: Worktree,
  end: WorktreeEnd | 'commit-and-merge',
  { discardIgnored = false, now = Date.now() }: WorktreeEndOptions & { readonly now?: number } = {},
): Promise<void> {
  if (end === 'keep') return;
  const { repository, path, branch } = worktree;
  // It may never have been created, or its end was interrupted.
  const isThere = await isWorktree(worktree);
  await refuseHooks(isThere ? [repository, path] : [repository]);
  if (end === 'commit-and-merge' && isThere) await commitAll(worktree);
  const work = isThere ? await workIn(worktree) : undefined;
  refuseLoss(path, work?.ignored ?? [], discardIgnored);
  if (end !== 'remove') await merge(worktree, work);
  await keepWork(worktree, work, { now });
  await rm(path, { recursive: true, force: true });
  await forget(worktree);
  if (await knows(worktree)) await git(repository, ['branch', '-D', branch]);
}

/** Git has no setting that turns them off, and would run them on everything that follows. */
async function refuseHooks(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    if (await definesHooks(folder))
      throw workspaceFailed(
        `The settings of ${folder} define hooks, which do not run here. End it yourself.`,
      );
}

function refuseLoss(
  path: string,
  ignored: readonly string[],
  discarded: NonNullable<WorktreeEndOptions['discardIgnored']>,
): void {
  if (discarded === true) return;
  const confirmed = new Set(discarded === false ? [] : discarded);
  const lost = summaryOf(ignored).filter((name) => !confirmed.has(name));
  if (lost.length > 0)
    throw workspaceFailed(`No commit has these files of ${path}: ${shown(lost)} (discardIgnored).`);
}

/** Whether there is something in it; false if its creation did not get that far. @throws if it is something else. */
async function isWorktree({ repository, path }: Worktree): Promise<boolean> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw workspaceFailed(`${path} cannot be read: ${error.message}`, error);
  });
  if (names.length === 0) return false;
  const folder = await gitFolder(path);
  const [own, common] = await Promise.all([
    realpath(dirname(dirname(folder ?? path))).catch(() => undefined),
    commonFolder(repository),
  ]);
  if (folder === undefined || !existsSync(folder) || own !== common)
    throw workspaceFailed(`${path} is not a worktree of ${repository} any more. Save or delete it yourself.`);
  // Someone may have deleted the index of a complete worktree.
  return (await isComplete(path)) || existsSync(join(folder, 'index'));
}

async function commonFolder(repository: string): Promise<string> {
  return realpath(await git(repository, ['rev-parse', '--path-format=absolute', '--git-common-dir']));
}

/** Commits everything in a worktree. */
async function commitAll(worktree: Worktree): Promise<void> {
  const { path } = worktree;
  await refuseUnderWay(path);
  const { isClean, repositories } = await workIn(worktree);
  if (isClean) return;
  const others = repositories.length > 0 ? `It contains repositories: ${shown(repositories)}.` : undefined;
  const reason = others ?? (await reasonNotToCommit(path));
  if (reason !== undefined)
    throw workspaceFailed(`${path} cannot be committed: ${reason} Commit it yourself.`);
  await git(path, ['add', '--all', '--', ':/']);
  await git(path, ['commit', '--quiet', '--message', 'Commit the files of a session']);
}

/** A failed merge leaves the repository and the worktree unchanged. */
async function merge(worktree: Worktree, work: Work | undefined): Promise<void> {
  const { repository, path, branch } = worktree;
  const own = await commitAt(repository, `refs/heads/${branch}`);
  const tip = work === undefined ? ((await keptHead(worktree)) ?? own) : work.head;
  if (tip === undefined) {
    if (work === undefined) return;
    throw workspaceFailed(`Nothing is committed in ${path}.`);
  }
  if (work !== undefined) {
    await refuseUnderWay(path);
    if (!work.isClean) throw workspaceFailed(`The worktree ${path} has changes that are not committed.`);
  }
  // Git was kept from that folder, so this one only looks like a checkout.
  if (await filesAreElsewhere(repository))
    throw workspaceFailed(
      `The settings of ${repository} name another folder for its files. Merge it yourself.`,
    );
  const target = await targetOf(repository);
  const isElsewhere = own !== undefined && ![tip, target].some((each) => each === own);
  if (isElsewhere && !(await contains(repository, tip, own)) && !(await contains(repository, target, own)))
    throw workspaceFailed(`The branch ${branch} has commits that are not checked out in ${path}.`);
  if (await contains(repository, target, tip)) return;
  const isForward = await contains(repository, tip, target);
  await refusePrograms(worktree, { tip, isForward, hasFiles: work !== undefined });
  await mergeCommit(repository, tip, { branch, isForward });
}

async function refusePrograms(
  { repository, path }: Worktree,
  {
    tip,
    isForward,
    hasFiles,
  }: { readonly tip: string; readonly isForward: boolean; readonly hasFiles: boolean },
): Promise<void> {
  const reason =
    (await programsNeeded(repository)) ??
    (await (hasFiles ? filterNeeded(path, repository) : filterNeededBy(tip, repository))) ??
    (isForward ? undefined : await unsigned(repository));
  if (reason !== undefined)
    throw workspaceFailed(`${path} cannot be merged into ${repository}: ${reason} Merge it yourself.`);
}

/** The commit that the repository has checked out. */
async function targetOf(repository: string): Promise<string> {
  await refuseUnderWay(repository);
  const name = await tryGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const commit = name === undefined ? undefined : await commitAt(repository, 'HEAD');
  if (commit === undefined)
    throw workspaceFailed(`The repository ${repository} has no branch checked out to merge into.`);
  return commit;
}

async function mergeCommit(
  repository: string,
  tip: string,
  { branch, isForward }: { readonly branch: string; readonly isForward: boolean },
): Promise<void> {
  const target = await git(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const settings = [[`branch.${target}.mergeOptions`, '']] as const;
  const how = isForward
    ? ['--ff-only']
    : ['--no-edit', '--no-squash', '-m', `Merge ${branch} into ${target}`];
  try {
    await git(repository, ['merge', '--quiet', '--no-autostash', ...how, tip], { settings });
  } catch (error) {
    const isUndone = (await tryGit(repository, ['merge', '--abort'])) !== undefined;
    if (!isUndone) throw error;
    throw workspaceFailed(`The branch ${branch} conflicts with what is checked out in ${repository}.`, error);
  }
  const now = await git(repository, ['rev-parse', 'HEAD']);
  if (!(await contains(repository, now, tip)))
    throw workspaceFailed(`git did not merge ${tip} into ${target} of ${repository}.`);
}

function commitAt(folder: string, name: string): Promise<string | undefined> {
  return tryGit(folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
}

async function contains(repository: string, commit: string, part: string): Promise<boolean> {
  return (await tryGit(repository, ['merge-base', '--is-ancestor', part, commit])) !== undefined;
}

function shown(names: readonly string[]): string {
  const all = summaryOf(names);
  const more = all.length > MOST_SHOWN ? [`${all.length - MOST_SHOWN} more`] : [];
  return [...all.slice(0, MOST_SHOWN), ...more].join(', ');
}

const MOST_SHOWN = 20;
