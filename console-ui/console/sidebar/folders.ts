import type { SessionSummary } from '../../../src/entry/remote/contract.js';

/** The sessions of one working folder. */
export interface FolderGroup {
  readonly cwd: string;
  /** The end of the path, as long as needed to distinguish it from the others. */
  readonly name: string;
  readonly sessions: readonly SessionSummary[];
}

/** Sessions by folder, in their original order: the folder of the first session comes first. */
export function byFolder(sessions: readonly SessionSummary[]): readonly FolderGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const group = groups.get(session.cwd);
    if (group === undefined) groups.set(session.cwd, [session]);
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
