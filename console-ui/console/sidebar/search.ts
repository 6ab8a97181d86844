import type { ConsoleState, SessionSummary } from '../../../src/entry/remote/contract.js';

/** Whether every search word occurs in a session's name, folder, model or id. */
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

/** Sessions in list order: active ones, then ended ones, newest first. The order is stable. */
export function inOrder(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) => RANK[a.state] - RANK[b.state] || b.startedAt - a.startedAt);
}
