import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorktreeView } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { addWorktree, endWorktree } from '../../manager/workspaces/worktree.js';
import { type Folders, isBelow } from '../commands/folders.js';
import { folderSize } from './folder-size.js';
import { commitAll, readGit, withoutFilters } from './git.js';

/** How many worktrees to list. */
const MOST = 100;

/** The parts of a session that worktrees need. */
export interface WorktreeUser {
  readonly id: string;
  readonly opened: { readonly cwd: string };
  readonly cli: { readonly isOpen: boolean };
}

/** Where a server's worktrees are. Creates the folder if necessary. */
export async function worktreePlace(stateFolder: string): Promise<string> {
  const folder = join(stateFolder, 'worktrees');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder);
}

/** The git worktrees that a server has created for its sessions: each with its own branch, in the server's folder. */
export class Worktrees {
  readonly #place: string;
  readonly #folders: Folders;

  /** The place is a real path; see {@link worktreePlace}. */
  constructor(place: string, folders: Folders) {
    this.#place = place;
    this.#folders = folders;
  }

  /**
   * Creates a worktree of a folder's repository; returns its name, the same folder in it, and the repository.
   * @throws CoxswainError `FOLDER_REFUSED`, or `WORKSPACE_FAILED` outside a repository.
   */
  async make(
    folder: string,
  ): Promise<{ readonly name: string; readonly cwd: string; readonly repository: string }> {
    const cwd = await this.#folders.check(folder);
    const top = await readGit(cwd, ['rev-parse', '--show-toplevel']);
    if (top === undefined)
      throw new CoxswainError(
        'WORKSPACE_FAILED',
        `${cwd} is not in a git repository, so it cannot have worktrees.`,
      );
    // A worktree contains all files of the repository, not only those below the folder.
    const repository = await this.#folders.check(top.text.trim());
    const name = `${basename(repository).replaceAll(/[^\w-]+/g, '-')}-${randomBytes(4).toString('hex')}`;
    const worktree = { repository: cwd, path: join(this.#place, name), branch: `coxswain/${name}` };
    const { cwd: place } = await addWorktree(worktree);
    return { name, cwd: place, repository };
  }

  /** All existing worktrees, with their contents. */
  async list(sessions: readonly WorktreeUser[]): Promise<readonly WorktreeView[]> {
    const entries = await readdir(this.#place, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const views = await Promise.all(names.slice(0, MOST).map((name) => this.#view(name, sessions)));
    return views.filter((view) => view !== undefined);
  }

  /**
   * Merges a worktree's branch into what its repository has checked out and removes the worktree, or removes
   * it with its branch.
   */
  async end(
    name: string,
    how: 'merge' | 'commit-and-merge' | 'remove',
    sessions: readonly WorktreeUser[],
  ): Promise<void> {
    const known = (await readdir(this.#place)).includes(name);
    const repository = known ? await repositoryOf(join(this.#place, name)) : undefined;
    if (repository === undefined)
      throw new CoxswainError('WORKSPACE_FAILED', `There is no worktree ${name} here.`);
    const path = join(this.#place, name);
    if (sessions.some(({ opened, cli }) => cli.isOpen && isBelow(path, opened.cwd)))
      throw new CoxswainError('COMMAND_INVALID', 'A session is open in this worktree. Close it first.');
    await this.#folders.check(repository);
    if (how === 'commit-and-merge') await commitAll(path);
    await endWorktree(
      { repository, path, branch: `coxswain/${name}` },
      how === 'remove' ? 'remove' : 'merge',
    );
  }

  async #view(name: string, sessions: readonly WorktreeUser[]): Promise<WorktreeView | undefined> {
    const path = join(this.#place, name);
    const repository = await repositoryOf(path);
    if (repository === undefined || !this.#folders.contains(repository)) return undefined;
    const settings = await withoutFilters(path);
    const [changes, head, size] = [
      await readGit(path, ['status', '--porcelain', '-z', '--no-renames'], { settings }),
      await readGit(repository, ['rev-parse', 'HEAD']),
      await folderSize(path),
    ];
    const base = head?.text.trim() ?? '';
    const ahead = await readGit(path, ['rev-list', '--count', `${base}..HEAD`]);
    return {
      name,
      path,
      repository,
      branch: `coxswain/${name}`,
      ...size,
      uncommitted: (changes?.text ?? '').split('\0').length - 1,
      commits: Number(ahead?.text ?? 0),
      sessions: sessions.filter(({ opened }) => isBelow(path, opened.cwd)).map(({ id }) => id),
    };
  }
}

/** The repository of a worktree; undefined if it is not a worktree. */
async function repositoryOf(path: string): Promise<string | undefined> {
  const output = await readGit(path, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const folder = output?.text.trim() ?? '';
  return basename(folder) === '.git' ? realpath(dirname(folder)).catch(() => undefined) : undefined;
}
