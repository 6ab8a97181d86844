import type { ConsoleState, SessionSummary } from '../../../src/entry/remote/contract.js';

/** Whether every word of a search is in the name, the folder, the model or the id of a session. */
export function fits({ title, cwd, model, id, conversation }: SessionSummary, search: string): boolean {
  const text = [title, cwd, model, id, conversation].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const RANK: Readonly<Record<ConsoleState, number>> = {
  'needs-you': 0,
  running: 0,
  waiting: 0,
  starting: 0,
  idle: 0,
  parked: 0,
  ended: 1,
};

/** Sessions in the order of the list: those that live, then those that ended, newest first. They do not jump about. */
export function inOrder(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) => RANK[a.state] - RANK[b.state] || b.startedAt - a.startedAt);
}
