import type { ChangedFile, ChangesView, ChangeView } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { LogEntry } from '../log/entry.js';
import { editedFiles, pathIn } from './edited-files.js';
import { baseOf, fileAt, gitChanges } from './git-changes.js';
import { readFolderFile } from './read-file.js';

/** How many files are listed. */
const MOST = 500;

/** The session to examine; its folder is a real path. */
export interface ChangedSession {
  readonly folder: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly events: () => AsyncIterable<LogEntry>;
}

/**
 * What has changed in a session's folder: compared with the commit that was checked out when the session started or,
 * without git, with the files before the session's tools edited them.
 */
export async function sessionChanges({ folder, startedAt, events }: ChangedSession): Promise<ChangesView> {
  const edited = await editedFiles(events(), folder);
  const base = await baseOf(folder, startedAt);
  if (base === undefined) {
    const files = await Promise.all([...edited.originals].map((each) => compared(folder, ...each)));
    const changed = files.filter((file) => file !== undefined);
    return { against: 'edits', files: changed.slice(0, MOST), cut: edited.cut || changed.length > MOST };
  }
  const { files, cut } = await gitChanges(folder, base);
  const mine = files.map((file) => ({ ...file, edited: edited.originals.has(file.path) }));
  return {
    against: 'git',
    commit: base.commit,
    files: mine.slice(0, MOST),
    cut: cut || mine.length > MOST,
  };
}

/** One changed file, before and now. @throws CoxswainError `FOLDER_REFUSED` if it is not in the folder. */
export async function sessionChange(
  { folder, startedAt, events }: ChangedSession,
  asked: string,
): Promise<ChangeView> {
  const path = pathIn(folder, asked);
  if (path === undefined)
    throw new CoxswainError('FOLDER_REFUSED', `${asked} is not a file in the folder of the session.`);
  const base = await baseOf(folder, startedAt);
  const after = await readFolderFile(folder, path).catch(() => undefined);
  const now = after === undefined ? { after: null, cut: false } : { after: after.text, cut: after.cut };
  if (base !== undefined) {
    const before = await fileAt(folder, base, path);
    return { path, before: before.text, ...now, cut: before.cut || now.cut };
  }
  const { originals } = await editedFiles(events(), folder);
  return { path, before: originals.get(path) ?? null, ...now };
}

async function compared(
  folder: string,
  path: string,
  before: string | null,
): Promise<ChangedFile | undefined> {
  const after = await readFolderFile(folder, path).catch(() => undefined);
  if (after === undefined) return before === null ? undefined : { path, how: 'removed', edited: true };
  if (before === null) return { path, how: 'added', edited: true };
  return after.text === before ? undefined : { path, how: 'changed', edited: true };
}
