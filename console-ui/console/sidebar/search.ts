import type { SessionSummary } from '../../../src/entry/remote/contract.js';

/** Whether every search word occurs in a session's name, folder, model, id or tags. */
export function fits(session: SessionSummary, search: string): boolean {
  const { title, cwd, model, id, conversation, tags = [] } = session;
  const text = [title, cwd, model, id, conversation, ...tags.map((tag) => `#${tag}`)]
    .join('\n')
    .toLowerCase();
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

/** Whether a session is out of the way: it was archived, or it has ended and never had a message. */
export function isArchived({ archived, state, title, costUsd, tokens }: SessionSummary): boolean {
  const isBlank = state === 'ended' && title === '' && costUsd === 0 && tokens.output === 0;
  return archived === true || isBlank;
}

/** All tags, each once, in alphabetical order. */
export function tagsOf(sessions: readonly SessionSummary[]): readonly string[] {
  return [...new Set(sessions.flatMap(({ tags = [] }) => tags))].toSorted((a, b) => a.localeCompare(b));
}
