import { useSyncExternalStore } from 'react';

/** The tabs of a session. */
export const TABS = [
  'conversation',
  'changes',
  'files',
  'tasks',
  'mcp',
  'agents',
  'chrome',
  'usage',
  'inspector',
] as const;

export type Tab = (typeof TABS)[number];

/** What the page shows: a session and one of its tabs, or the start. */
export interface Route {
  readonly session: string | undefined;
  readonly tab: Tab;
  /** Whether it shows the usage of all conversations. */
  readonly usage?: boolean | undefined;
  /** The search terms for the conversation. */
  readonly find?: string | undefined;
  /** The file that the tab of files shows. */
  readonly file?: string | undefined;
}

/** Parses the part of the address after `#`. */
export function readRoute(hash: string): Route {
  const [, place, session, tab, more] = hash.replace(/^#/, '').split('/');
  if (place === 'usage') return { session: undefined, tab: 'conversation', usage: true };
  if (place !== 's' || session === undefined || session === '')
    return { session: undefined, tab: 'conversation' };
  const known = TABS.find((each) => each === tab);
  const route = { session: decoded(session), tab: known ?? 'conversation' };
  if (more === undefined) return route;
  return known === 'files' ? { ...route, file: decoded(more) } : { ...route, find: decoded(more) };
}

/** Addresses are edited, and cut off when they are passed on. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of the usage page. */
export const USAGE = '#/usage';

/** The address of a session's tab; `more` are search terms, or the path of a file. */
export function routeTo(session: string | undefined, tab: Tab = 'conversation', more?: string): string {
  if (session === undefined) return '#/';
  if (more !== undefined) return `#/s/${encodeURIComponent(session)}/${tab}/${encodeURIComponent(more)}`;
  return `#/s/${encodeURIComponent(session)}${tab === 'conversation' ? '' : `/${tab}`}`;
}

/** What the page shows now. */
export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash));
}

/** Shows something else. */
export function go(session: string | undefined, tab?: Tab, more?: string): void {
  location.hash = routeTo(session, tab, more);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
