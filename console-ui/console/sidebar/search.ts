import type { SessionSummary } from '../../../src/entry/remote/contract.js';

/** Whether every search word occurs in a session's name, folder, model or id. */
export function fits({ title, cwd, model, id, conversation }: SessionSummary, search: string): boolean {
  const text = [title, cwd, model, id, conversation].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const rank = ({ state }: SessionSummary) => (state === 'ended' ? 1 : 0);

/** Sessions in list order: active ones, then ended ones, newest first. The order is stable. */
export function inOrder(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) => rank(a) - rank(b) || b.startedAt - a.startedAt);
}
