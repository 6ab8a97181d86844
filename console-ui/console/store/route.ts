import { useSyncExternalStore } from 'react';

/** The tabs of a session. */
export const TABS = ['conversation', 'changes', 'tasks', 'mcp', 'chrome', 'usage', 'inspector'] as const;

export type Tab = (typeof TABS)[number];

/** What the page shows: a session and one of its tabs, or the start. */
export interface Route {
  readonly session: string | undefined;
  readonly tab: Tab;
}

/** Reads the part of the address behind `#`. */
export function readRoute(hash: string): Route {
  const [, place, session, tab] = hash.replace(/^#/, '').split('/');
  if (place !== 's' || session === undefined || session === '')
    return { session: undefined, tab: 'conversation' };
  const known = TABS.find((each) => each === tab);
  return { session: decodeURIComponent(session), tab: known ?? 'conversation' };
}

/** The address of a session's tab. */
export function routeTo(session: string | undefined, tab: Tab = 'conversation'): string {
  if (session === undefined) return '#/';
  return `#/s/${encodeURIComponent(session)}${tab === 'conversation' ? '' : `/${tab}`}`;
}

/** What the page shows now. */
export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash));
}

/** Shows something else. */
export function go(session: string | undefined, tab?: Tab): void {
  location.hash = routeTo(session, tab);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
