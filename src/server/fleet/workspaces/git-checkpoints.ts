import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CoxswainError } from '../../../wire/util/errors.js';
import { git, ownGit, remoteGit, tryGit } from './git.js';
import type { WorkspacePolicy, WorkspaceUse } from './workspace-policy.js';

/** The name of a clone: a conversation, and its owner if each one has its own. */
const CLONE = /^[\w-]{1,80}(?:\.\d+)?$/;

/** Workspaces that are clones of a repository. */
export interface GitWorkspaces {
  /** Where clones come from and checkpoints go to; all workers must reach it. */
  readonly remote: string;
  /** The folder for a worker's clones. */
  readonly root: string;
  /**
   * Makes a new clone for each owner of a conversation: nothing that an earlier one still writes reaches the files of the next one, even
   * if both have this folder. What was not pushed stays behind. Default: false, a worker continues in the clone that it has.
   */
  readonly perOwner?: boolean | undefined;
}

/** The metadata in a checkpoint's commit message. */
interface CheckpointFacts {
  readonly epoch: number;
  /** The checked-out branch; none if HEAD was detached. */
  readonly branch: string;
}

/**
 * A clone per conversation. A checkpoint is a commit of all files that git does not ignore, on top of the checked-out
 * commit; it touches neither the branch nor the index. Only owners that are not older than the one that pushed it may
 * replace its ref.
 */
export class GitCheckpoints implements WorkspacePolicy {
  readonly #options: GitWorkspaces;

  constructor(options: GitWorkspaces) {
    this.#options = options;
  }

  async prepare({ session, epoch }: Omit<WorkspaceUse, 'cwd'>): Promise<{ readonly cwd: string }> {
    const { remote, root, perOwner = false } = this.#options;
    const cwd = join(root, perOwner ? `${nameOf(session)}.${epoch}` : nameOf(session));
    if (!existsSync(join(cwd, '.git'))) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await rm(cwd, { recursive: true, force: true });
      await ownGit(root, ['clone', '--quiet', '--', remote, cwd]);
    }
    const here = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', refOf(session)]);
    const there = await this.#fetch(cwd, session);
    // If the last checkpoint was made here, later changes are here as well.
    if (there !== undefined && there !== here) await checkOut(cwd, session, there);
    return { cwd };
  }

  async checkpoint({ session, cwd, epoch }: WorkspaceUse): Promise<void> {
    const ref = refOf(session);
    const last = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', ref]);
    const made = await commitAll(cwd, session, epoch, last);
    if (made === undefined) return;
    const pushed = await this.#push(cwd, ref, made, last ?? '');
    if (!pushed) await this.#replace(cwd, session, made, epoch);
    await git(cwd, ['update-ref', ref, made]);
  }

  async remove({ session }: Pick<WorkspaceUse, 'session'>): Promise<void> {
    const { remote } = this.#options;
    const clones = await this.#clonesOf(session);
    const [clone] = clones;
    if (clone !== undefined)
      await remoteGit(clone, ['push', '--quiet', remote, `:${refOf(session)}`]).catch(() => {});
    for (const cwd of clones) await rm(cwd, { recursive: true, force: true });
  }

  /** A clone is left behind if its checkpoint is no longer at the remote: it is removed with the conversation. */
  async clean(isGone: (session: string) => Promise<boolean>): Promise<void> {
    const { remote, root } = this.#options;
    const names = await readdir(root).catch(() => []);
    if (names.length === 0) return;
    const kept = await ownGit(root, ['ls-remote', remote, 'refs/coxswain/*']);
    for (const name of names.filter((each) => CLONE.test(each))) {
      const cwd = join(root, name);
      const [session = ''] = name.split('.');
      if (kept.includes(refOf(session)) || !(await this.#hadCheckpoint(cwd, session))) continue;
      if (!(await isGone(session))) continue;
      // A new conversation may have the same id.
      const aside = await mkdtemp(join(root, '.gone-'));
      await rename(cwd, join(aside, name));
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #clonesOf(session: string): Promise<readonly string[]> {
    const { root } = this.#options;
    const own = nameOf(session);
    const names = await readdir(root).catch(() => []);
    return names
      .filter((name) => CLONE.test(name) && name.split('.')[0] === own)
      .map((name) => join(root, name));
  }

  async #hadCheckpoint(cwd: string, session: string): Promise<boolean> {
    if (!existsSync(join(cwd, '.git'))) return false;
    const from = await tryGit(cwd, ['config', 'remote.origin.url']);
    const here = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', refOf(session)]);
    return from === this.#options.remote && here !== undefined;
  }

  /** Someone else pushed: an earlier owner gives way, a later one owns the conversation. */
  async #replace(cwd: string, session: string, made: string, epoch: number): Promise<void> {
    const there = await this.#fetch(cwd, session);
    const other = there === undefined ? 0 : (await factsOf(cwd, there)).epoch;
    const isMine = other <= epoch && (await this.#push(cwd, refOf(session), made, there ?? ''));
    if (isMine) return;
    const message = `Another worker has conversation ${session}: its workspace was not saved.`;
    throw new CoxswainError('FLEET_FENCED', message);
  }

  async #push(cwd: string, ref: string, commit: string, expected: string): Promise<boolean> {
    const args = [
      'push',
      '--quiet',
      `--force-with-lease=${ref}:${expected}`,
      this.#options.remote,
      `${commit}:${ref}`,
    ];
    try {
      await remoteGit(cwd, args);
      return true;
    } catch (error) {
      if (/stale info|rejected|failed to update ref|cannot lock ref/.test(String(error))) return false;
      throw error;
    }
  }

  /** The checkpoint at the remote; undefined if there is none. */
  async #fetch(cwd: string, session: string): Promise<string | undefined> {
    const { remote } = this.#options;
    const ref = refOf(session);
    if ((await remoteGit(cwd, ['ls-remote', remote, ref])) === '') return undefined;
    await remoteGit(cwd, ['fetch', '--quiet', '--no-tags', remote, ref]);
    return git(cwd, ['rev-parse', 'FETCH_HEAD']);
  }
}

/** Commits all files without touching what the conversation sees; undefined if nothing has changed. */
async function commitAll(
  cwd: string,
  session: string,
  epoch: number,
  last: string | undefined,
): Promise<string | undefined> {
  const folder = await git(cwd, ['rev-parse', '--absolute-git-dir']);
  const index = { env: { GIT_INDEX_FILE: join(folder, 'coxswain-index') }, touchesFiles: true };
  const head = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  await git(cwd, head === undefined ? ['read-tree', '--empty'] : ['read-tree', head], index);
  await git(cwd, ['add', '--all'], index);
  const tree = await git(cwd, ['write-tree'], index);
  const branch = (await tryGit(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD'])) ?? '';
  if (last !== undefined && (await isLike(cwd, last, { tree, head, branch, epoch }))) return undefined;
  const message = `Checkpoint of conversation ${session}\n\n${JSON.stringify({ epoch, branch } satisfies CheckpointFacts)}`;
  return git(cwd, ['commit-tree', tree, ...(head === undefined ? [] : ['-p', head]), '-m', message]);
}

async function isLike(
  cwd: string,
  last: string,
  now: CheckpointFacts & { readonly tree: string; readonly head: string | undefined },
): Promise<boolean> {
  const { epoch, branch } = await factsOf(cwd, last);
  if (epoch !== now.epoch || branch !== now.branch) return false;
  const tree = await git(cwd, ['rev-parse', `${last}^{tree}`]);
  return (
    tree === now.tree && (await tryGit(cwd, ['rev-parse', '--verify', '--quiet', `${last}^`])) === now.head
  );
}

/** Restores the clone to the state of the checkpoint: branch, commits, and uncommitted files. */
async function checkOut(cwd: string, session: string, checkpoint: string): Promise<void> {
  const { branch } = await factsOf(cwd, checkpoint);
  const head = await tryGit(cwd, ['rev-parse', '--verify', '--quiet', `${checkpoint}^`]);
  await git(cwd, ['read-tree', '-u', '--reset', checkpoint], { touchesFiles: true });
  await git(cwd, ['clean', '-d', '--force', '--quiet']);
  if (branch !== '') await git(cwd, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  if (head !== undefined && branch !== '') await git(cwd, ['update-ref', `refs/heads/${branch}`, head]);
  if (head !== undefined && branch === '') await git(cwd, ['update-ref', '--no-deref', 'HEAD', head]);
  await git(cwd, head === undefined ? ['read-tree', '--empty'] : ['read-tree', head], { touchesFiles: true });
  await git(cwd, ['update-ref', refOf(session), checkpoint]);
}

async function factsOf(cwd: string, checkpoint: string): Promise<CheckpointFacts> {
  const message = await git(cwd, ['log', '-1', '--format=%B', checkpoint]);
  const facts: Partial<CheckpointFacts> = JSON.parse(message.split('\n').at(-1) ?? '{}');
  return { epoch: Number(facts.epoch ?? 0), branch: isBranch(facts.branch) ? facts.branch : '' };
}

/** Checks a branch name, which comes from elsewhere and becomes part of a ref. */
function isBranch(name: unknown): name is string {
  return typeof name === 'string' && /^[\w][\w./-]*$/.test(name) && !name.includes('..');
}

function refOf(session: string): string {
  return `refs/coxswain/${nameOf(session)}`;
}

/** Ids are UUIDs; anything else must not become a path. */
function nameOf(session: string): string {
  if (/^[\w-]{1,80}$/.test(session)) return session;
  throw new CoxswainError('WORKSPACE_FAILED', `${JSON.stringify(session)} is not a conversation id.`);
}
