import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { FolderEntry, FolderView } from '../../../entry/remote/contract.js';
import { isBelow } from '../../../wire/files/is-below.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** How many entries are listed. */
const MOST = 2_000;

/**
 * Lists a folder in a session's folder, which is a real path.
 * @throws CoxswainError `FOLDER_REFUSED` if it is not a folder in that folder.
 */
export async function listFolder(folder: string, path: string): Promise<FolderView> {
  try {
    const real = await realpath(resolve(folder, path));
    if (!isBelow(folder, real)) throw refusal(path);
    const found = (await readdir(real, { withFileTypes: true })).filter(({ name }) => name !== '.git');
    const entries = found.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).toSorted(inOrder);
    const name = relative(folder, real).split(sep).join('/');
    return { path: name, entries: entries.slice(0, MOST), cut: entries.length > MOST };
  } catch {
    // Do not reveal whether something exists outside the folder.
    throw refusal(path);
  }
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function inOrder(one: FolderEntry, other: FolderEntry): number {
  const [first, second] = [one, other].map(({ kind }) => (kind === 'folder' ? 0 : 1));
  return first === second ? one.name.localeCompare(other.name) : (first ?? 0) - (second ?? 0);
}

function refusal(path: string): CoxswainError {
  return new CoxswainError('FOLDER_REFUSED', `${path} is not a folder in the folder of the session.`);
}
