import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { GitFileView, GitView, StageParams } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { reasonNotToCommit, underWay } from '../../manager/workspaces/committing.js';
import { type GitSettings, git, workspaceFailed } from '../../manager/workspaces/git.js';
import {
  definesHooks,
  filesAreElsewhere,
  withoutFilters,
} from '../../manager/workspaces/repository-settings.js';
import type { Folders } from '../commands/folders.js';
import { pathIn } from './edited-files.js';
import { readGit } from './git.js';
import { differentFiles, PLAIN, together, untrackedFiles } from './git-changes.js';
import { type FilePatch, newFileHunks, patchOf, readPatch } from './hunks.js';
import { MOST_BYTES, readFolderFile } from './read-file.js';

/** How many files are listed. */
const MOST = 500;

/** The uncommitted changes in a folder: what is staged, and what is not. */
export async function gitView(folder: string, folders: Folders): Promise<GitView> {
  const inRepository = await isHere(folder, folders);
  if (!inRepository) return { inRepository, files: [], index: '', cut: false };
  const settings = await plainly(folder);
  const [staged, changed, untracked, branch, index, refused] = [
    await differentFiles(folder, ['--cached'], settings),
    await differentFiles(folder, [], settings),
    await untrackedFiles(folder),
    await readGit(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    await indexOf(folder),
    await reasonToRefuse(folder),
  ];
  const rest = together(changed, untracked);
  const files = [
    ...staged.files.map((file) => ({ ...file, staged: true })),
    // Of a repository inside, git would keep only the name of its commit.
    ...rest.files.filter(({ path }) => !path.endsWith('/')).map((file) => ({ ...file, staged: false })),
  ];
  const cut = staged.cut || rest.cut || files.length > MOST;
  return { inRepository, branch: branch?.text.trim(), files: files.slice(0, MOST), index, refused, cut };
}

/** The hunks of a file. */
export async function gitHunks(
  folder: string,
  { path: asked, staged = false }: { readonly path: string; readonly staged?: boolean | undefined },
): Promise<GitFileView> {
  const path = ownPath(folder, asked);
  return { path, hunks: (await patchIn(folder, path, staged))?.hunks };
}

/** Stages a file or some of its hunks, or takes them out. */
export async function stage(
  folder: string,
  folders: Folders,
  { path: asked, hunks, undo = false }: StageParams & { readonly undo?: boolean },
): Promise<void> {
  const path = ownPath(folder, asked);
  await refuse(folder, folders);
  if (hunks === undefined) return stageFile(folder, path, undo);
  const patch = await patchIn(folder, path, undo);
  const known = new Set(patch?.hunks.map(({ id }) => id));
  if (patch === undefined || hunks.length === 0 || !hunks.every((id) => known.has(id)))
    throw new CoxswainError('FILE_CHANGED', `${path} has changed since you looked at it. Look again.`);
  // A file that git does not know has one hunk.
  if (patch.head === '') return stageFile(folder, path, undo);
  const way = ['apply', '--cached', '--whitespace=nowarn', ...(undo ? ['--reverse'] : []), '-'];
  await git(folder, way, { input: patchOf(patch, new Set(hunks), undo) });
}

/** Commits what is staged; returns the commit. */
export async function commitStaged(
  folder: string,
  folders: Folders,
  { message, index }: { readonly message: string; readonly index: string },
): Promise<string> {
  await refuse(folder, folders);
  if ((await indexOf(folder)) !== index)
    throw new CoxswainError('FILE_CHANGED', 'What is staged has changed since you looked at it. Look again.');
  const staged = async (...only: readonly string[]) =>
    (await git(folder, ['diff', '--cached', '--name-only', '-z', ...PLAIN, ...only])).split('\0').length;
  const all = await staged();
  if (all === 1) throw workspaceFailed('Nothing is staged.');
  if (all !== (await staged('--relative', '--', '.')))
    throw workspaceFailed(`Files outside of ${folder} are staged too. Commit or unstage them yourself.`);
  await git(folder, ['commit', '--quiet', '--no-verify', '--cleanup=whitespace', `--message=${message}`]);
  return git(folder, ['rev-parse', 'HEAD']);
}

async function stageFile(folder: string, path: string, undo: boolean): Promise<void> {
  const file = ['--', `:(literal)${path}`];
  await git(folder, undo ? ['reset', '--quiet', ...file] : ['add', '--all', ...file]);
}

/** One file's difference between commit and index, or between index and disk; undefined if it has no text. */
async function patchIn(folder: string, path: string, staged: boolean): Promise<FilePatch | undefined> {
  const file = ['--', `:(literal)${path}`];
  const isKnown = staged || (await readGit(folder, ['ls-files', '-z', ...file]))?.text !== '';
  if (!isKnown) {
    const { text, cut } = await readFolderFile(folder, path);
    return text === undefined || cut ? undefined : { head: '', hunks: newFileHunks(text) };
  }
  const form = ['--relative', '--unified=3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'];
  const which = staged ? ['--cached'] : [];
  const diff = await readGit(folder, ['diff', '--no-color', ...PLAIN, ...form, ...which, ...file], {
    settings: await plainly(folder),
    mostBytes: MOST_BYTES,
  });
  return diff === undefined || diff.cut ? undefined : readPatch(diff.text);
}

function ownPath(folder: string, asked: string): string {
  const path = pathIn(folder, asked);
  if (path !== undefined) return path;
  throw new CoxswainError('FOLDER_REFUSED', `${asked} is not a file in the folder of the session.`);
}

/** @throws CoxswainError `WORKSPACE_FAILED` if nothing can be staged or committed in a folder. */
async function refuse(folder: string, folders: Folders): Promise<void> {
  const isOurs = await isHere(folder, folders);
  const reason = isOurs ? await reasonToRefuse(folder) : 'It is not in a git repository below the roots.';
  if (reason !== undefined) throw workspaceFailed(`Nothing was changed in ${folder}: ${reason}`);
}

/** Hooks cannot be turned off in settings, so git would run them, as filters would be. */
async function reasonToRefuse(folder: string): Promise<string | undefined> {
  if (await definesHooks(folder)) return 'Its settings define hooks, which do not run here.';
  if (await filesAreElsewhere(folder)) return 'Its settings name another folder for its files.';
  return (await underWay(folder)) ?? reasonNotToCommit(folder);
}

/** Whether git keeps everything about a folder below the roots; a model may have named another place. */
async function isHere(folder: string, folders: Folders): Promise<boolean> {
  const inside = await readGit(folder, ['rev-parse', '--is-inside-work-tree']);
  if (inside?.text.trim() !== 'true') return false;
  const names = ['--show-toplevel', '--git-dir', '--git-common-dir'];
  const found = await readGit(folder, ['rev-parse', '--path-format=absolute', ...names]);
  const places = (found?.text ?? '').split('\n').slice(0, -1);
  const real = await Promise.all(places.map((place) => realpath(place).catch(() => undefined)));
  return (
    real.length === names.length && real.every((place) => place !== undefined && folders.contains(place))
  );
}

async function plainly(folder: string): Promise<GitSettings> {
  return [...(await withoutFilters(folder)), ['diff.suppressBlankEmpty', 'false']];
}

/** What is staged, in one word. */
async function indexOf(folder: string): Promise<string> {
  const staged = await readGit(folder, ['diff', '--cached', '--raw', '-z', '--no-abbrev', ...PLAIN]);
  return createHash('sha256')
    .update(staged?.text ?? '')
    .digest('base64url')
    .slice(0, 22);
}
