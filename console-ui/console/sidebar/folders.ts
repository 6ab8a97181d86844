import type { SessionSummary } from '../../../src/entry/remote/contract.js';

/** The sessions of one working folder, with those in its worktrees. */
export interface FolderGroup {
  readonly cwd: string;
  /** The end of the path, as long as needed to distinguish it from the others. */
  readonly name: string;
  readonly sessions: readonly SessionSummary[];
}

/** Sessions by folder, in their original order: the folder of the first session comes first. */
export function byFolder(sessions: readonly SessionSummary[]): readonly FolderGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  // A fork is in the same worktree, and does not know that it is one.
  const repositories = new Map(
    sessions.flatMap(({ cwd, repository }) => (repository ? [[cwd, repository]] : [])),
  );
  for (const session of sessions) {
    const place = repositories.get(session.cwd) ?? session.cwd;
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [session]);
    else group.push(session);
  }
  const paths = [...groups.keys()];
  return [...groups].map(([cwd, all]) => ({ cwd, name: shortName(cwd, paths), sessions: all }));
}

function shortName(path: string, all: readonly string[]): string {
  const parts = partsOf(path);
  for (let count = 1; count < parts.length; count += 1) {
    const end = parts.slice(-count).join('/');
    const isAlike = (other: string) => other !== path && partsOf(other).slice(-count).join('/') === end;
    if (!all.some(isAlike)) return end;
  }
  return path;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((part) => part !== '');
}
