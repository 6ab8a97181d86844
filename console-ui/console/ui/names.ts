import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { shortTime } from './time.js';

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

/** What distinguishes a session from others with the same name: its start time, and the start of its id. */
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
  return mark === undefined ? titleOf(session) : `${titleOf(session)} (${mark})`;
}

/** Every row of a list asks for its own, and the list changes identity with each update. */
const MARKS = new WeakMap<Sessions, ReadonlyMap<string, string>>();

function marksOf(sessions: Sessions): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const session of sessions.values()) {
    const title = titleOf(session);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const alike = [...sessions.values()].filter((session) => (counts.get(titleOf(session)) ?? 0) > 1);
  return new Map(alike.map(({ id, startedAt }) => [id, `${shortTime(startedAt)} · ${id.slice(0, 4)}`]));
}
