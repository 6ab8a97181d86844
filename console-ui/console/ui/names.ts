import type { SessionSummary } from '../../../src/entry/remote/contract.js';

/** The last segment of a path, which says the most. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** A session's name; without messages it has none of its own. */
export function titleOf({ title, cwd, repository }: Named): string {
  return title === '' ? `New session in ${folderName(repository ?? cwd)}` : title;
}

type Named = Pick<SessionSummary, 'title' | 'cwd' | 'repository'>;

type Sessions = ReadonlyMap<string, SessionSummary>;

/** What distinguishes a session from older ones with the same name: how many there were. */
export function markOf(id: string, sessions: Sessions): string | undefined {
  let marks = MARKS.get(sessions);
  if (marks === undefined) {
    marks = marksOf(sessions);
    MARKS.set(sessions, marks);
  }
  return marks.get(id);
}

/** A session's full name in one text. */
export function fullName(session: SessionSummary, sessions: Sessions): string {
  const mark = markOf(session.id, sessions);
  return mark === undefined ? titleOf(session) : `${titleOf(session)} ${mark}`;
}

/** Every row of a list asks for its own, and the list changes identity with each update. */
const MARKS = new WeakMap<Sessions, ReadonlyMap<string, string>>();

function marksOf(sessions: Sessions): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const marks = new Map<string, string>();
  for (const session of [...sessions.values()].toSorted((a, b) => a.startedAt - b.startedAt)) {
    const title = titleOf(session);
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    if (count > 1) marks.set(session.id, `(${count})`);
  }
  return marks;
}
