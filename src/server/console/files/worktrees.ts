import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { WorktreeView } from '../../../entry/remote/contract.js';
import { isBelow } from '../../../wire/files/is-below.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { withoutFilters } from '../../manager/workspaces/repository-settings.js';
import { addWorktree } from '../../manager/workspaces/worktree.js';
import { endWorktree, type WorktreeEndOptions } from '../../manager/workspaces/worktree-end.js';
import { ignoredIn, summaryOf } from '../../manager/workspaces/worktree-work.js';
import type { Folders } from '../commands/folders.js';
import { folderSize } from './folder-size.js';
import { readGit } from './git.js';

/** How many worktrees to list. */
const MOST = 100;
/** How many names to list of what a worktree would lose; the others cannot be confirmed. */
const MOST_NAMES = 1_000;

/** How a worktree is ended, and who uses worktrees then. */
type EndArguments = [
  how: WorktreeEndOptions & { readonly how: 'merge' | 'commit-and-merge' | 'remove' },
  inUse: () => readonly WorktreeUser[],
];

/** The parts of a session that worktrees need. */
export interface WorktreeUser {
  readonly id: string;
  readonly opened: { readonly cwd: string };
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
  /** The folders of worktrees that are being ended. */
  readonly #ending = new Set<string>();

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
    // Its branch would be merged into another folder, or could not be found again.
    if ((await repositoryOf(cwd)) !== repository)
      throw new CoxswainError(
        'WORKSPACE_FAILED',
        `${repository} is a worktree or a submodule itself, so it cannot have worktrees. Use its repository.`,
      );
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

  /** @throws CoxswainError `WORKSPACE_FAILED` if a folder is in none of the worktrees. */
  check(folder: string): void {
    if (!isBelow(this.#place, folder) || folder === this.#place)
      throw new CoxswainError('WORKSPACE_FAILED', `${folder} is not in a worktree of this server.`);
  }

  /** Like {@link end}, for the worktree that a folder is in. */
  async endOf(folder: string, ...args: EndArguments): Promise<void> {
    this.check(folder);
    const [name = ''] = relative(this.#place, folder).split(sep);
    await this.end(name, ...args);
  }

  /** Merges what is checked out in a worktree that no session uses, and removes it, or only removes it. */
  async end(name: string, ...[{ how, discardIgnored }, inUse]: EndArguments): Promise<void> {
    const known = (await readdir(this.#place)).includes(name);
    const repository = known ? await repositoryOf(join(this.#place, name)) : undefined;
    if (repository === undefined)
      throw new CoxswainError('WORKSPACE_FAILED', `There is no worktree ${name} here.`);
    const path = join(this.#place, name);
    this.refuseEnding(path);
    this.#ending.add(path);
    try {
      // Only now: a session may have been opened in the meantime.
      if (inUse().some(({ opened }) => isBelow(path, opened.cwd)))
        throw new CoxswainError('COMMAND_INVALID', 'A session is open in this worktree. Close it first.');
      await this.#folders.check(repository);
      await endWorktree({ repository, path, branch: `coxswain/${name}` }, how, { discardIgnored });
    } finally {
      this.#ending.delete(path);
    }
  }

  /** @throws CoxswainError `COMMAND_INVALID` if a folder is in a worktree that is being merged or removed. */
  refuseEnding(folder: string): void {
    if ([...this.#ending].some((path) => isBelow(path, folder)))
      throw new CoxswainError('COMMAND_INVALID', `The worktree of ${folder} is being merged or removed.`);
  }

  async #view(name: string, sessions: readonly WorktreeUser[]): Promise<WorktreeView | undefined> {
    const path = join(this.#place, name);
    const repository = await repositoryOf(path);
    if (repository === undefined || !this.#folders.contains(repository)) return undefined;
    const settings = await withoutFilters(path);
    // In a submodule, git would run what the submodule's settings name.
    const status = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all'];
    const [changes, head, branch, ignored, size] = [
      await readGit(path, status, { settings }),
      await readGit(repository, ['rev-parse', 'HEAD']),
      await readGit(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
      await ignoredIn({ path, repository }).then(summaryOf, () => undefined),
      await folderSize(path),
    ];
    const base = head?.text.trim() ?? '';
    const ahead = await readGit(path, ['rev-list', '--count', `${base}..HEAD`]);
    return {
      name,
      path,
      repository,
      branch: branch?.text.trim(),
      ignored: ignored?.slice(0, MOST_NAMES),
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
