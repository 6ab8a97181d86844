import { basename } from 'node:path';
import { git, tryGit } from './git.js';
import { keptGitFolder, type Worktree } from './worktree-folder.js';

/** What git can keep of a worktree. */
export interface TrackedWork {
  /** The commit that is checked out; undefined if there is none. */
  readonly head: string | undefined;
  /** The files in its index; undefined during a conflict. */
  readonly index: string | undefined;
  /** Its files, including untracked ones. */
  readonly files: string;
  /** Whether both equal the commit. */
  readonly isClean: boolean;
}

const KEPT = 'refs/coxswain/kept';
const KEPT_MS = 30 * 24 * 3_600_000;
/** How many commits that were checked out in a worktree are kept, although no branch has them. */
const MOST_LEFT = 200;

/**
 * Keeps what would be lost with a worktree under a ref, for 30 days: its files, its index, and commits that no branch
 * has, or only its own, unless that is kept. Without files, what git still knows of it.
 */
export async function keepWork(
  worktree: Worktree,
  work: TrackedWork | undefined,
  { now, keepsBranch = false }: { readonly now: number; readonly keepsBranch?: boolean },
): Promise<void> {
  const { repository, branch } = worktree;
  await forgetOld(repository, now);
  const commits = await commitsToKeep(worktree, { head: work?.head, keepsBranch });
  const isClean = work === undefined || work.isClean;
  if (isClean && commits.length === 0) return;
  const first = work?.head ?? commits[0];
  const tree = (isClean ? undefined : work.files) ?? `${first}^{tree}`;
  const index = isClean || work.index === undefined ? [] : [await commitOf(repository, work.index, [])];
  const parents = new Set([...(first === undefined ? [] : [first]), ...index, ...commits]);
  const commit = await commitOf(repository, tree, [...parents]);
  await git(repository, ['update-ref', `${KEPT}/${basename(branch)}/${now}`, commit]);
}

/** The latest of the commits that were checked out in it, or are on its branch, and that no other branch has. */
async function commitsToKeep(
  worktree: Worktree,
  { head, keepsBranch }: { readonly head: string | undefined; readonly keepsBranch: boolean },
): Promise<readonly string[]> {
  const { repository, branch } = worktree;
  const list = ['log', '--walk-reflogs', '--no-show-signature', '--format=%H', `--max-count=${MOST_LEFT}`];
  const left = await tryGitOf(worktree, [...list, 'HEAD']);
  const tip = await tryGit(repository, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  const found = [head ?? (await keptHead(worktree)), tip, ...(left ?? '').split('\n')].filter(
    (commit) => commit,
  );
  const candidates = [...new Set(found)] as readonly string[];
  if (candidates.length === 0) return [];
  const own = keepsBranch ? [] : [`--exclude=${branch}`];
  const others = ['--not', ...own, '--branches', '--tags', '--remotes'];
  const lost = new Set((await git(repository, ['rev-list', ...candidates, ...others])).split('\n'));
  const kept = candidates.filter((commit) => lost.has(commit));
  if (kept.length < 2) return kept;
  return (await git(repository, ['merge-base', '--independent', ...kept])).split('\n');
}

/** The commit that is, or was, checked out in a worktree. */
export function keptHead(worktree: Worktree): Promise<string | undefined> {
  return tryGitOf(worktree, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
}

/** Runs git on what it keeps of a worktree, whose files may be gone. */
async function tryGitOf(worktree: Worktree, args: readonly string[]): Promise<string | undefined> {
  const folder = await keptGitFolder(worktree);
  if (folder === undefined) return undefined;
  return tryGit(worktree.repository, args, { env: { GIT_DIR: folder } });
}

function commitOf(repository: string, tree: string, parents: readonly string[]): Promise<string> {
  const of = parents.flatMap((parent) => ['-p', parent]);
  const message = 'Keep the work of a worktree that was removed';
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Coxswain'],
      [`GIT_${who}_EMAIL`, 'coxswain@localhost'],
    ]),
  );
  return git(repository, ['commit-tree', tree, ...of, '-m', message], { env });
}

async function forgetOld(repository: string, now: number): Promise<void> {
  const refs = (await git(repository, ['for-each-ref', '--format=%(refname)', KEPT])).split('\n');
  for (const ref of refs)
    if (ref !== '' && Number(basename(ref)) < now - KEPT_MS) await git(repository, ['update-ref', '-d', ref]);
}
