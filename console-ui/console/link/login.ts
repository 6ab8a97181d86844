import { browserName } from './browser-name.js';

/** Exchanges the token in the address for a cookie and takes it out of the address, so that nobody copies it along. */
export async function logIn(): Promise<boolean> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return isLoggedIn();
  history.replaceState(null, '', `${location.pathname}#/`);
  const answer = await fetch('api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return answer.ok;
}

/** Whether the server knows the page's cookie. A server that cannot be reached is no answer. */
export async function isLoggedIn(): Promise<boolean> {
  const { status } = await fetch('api/me', { cache: 'no-store' });
  return status !== 401 && status !== 403;
}

/** The tab's own id, kept over reloads, and a name that others are shown. */
export function thisClient(makeId: () => string): { readonly client: string; readonly name: string } {
  const client = sessionStorage.getItem(CLIENT) ?? makeId();
  sessionStorage.setItem(CLIENT, client);
  return { client, name: browserName(navigator.userAgent) };
}

const CLIENT = 'coxswain.client';
