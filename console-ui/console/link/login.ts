import { KEY_PROTOCOL, type LoginAnswer, SOCKET_PROTOCOL } from '../../../src/entry/remote/contract.js';
import { browserName } from './browser-name.js';

/** Removes the token from the address before anything else, so nobody copies it. */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', `${location.pathname}#/`);
  return token ?? undefined;
}

/**
 * Exchanges a token for this browser's own secret. It is kept where only this origin can read it: a cookie would be
 * sent to every server on this machine.
 */
export async function logIn(token: string | undefined): Promise<boolean> {
  if (token === undefined) return isLoggedIn();
  const answer = await fetch('api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) return isLoggedIn();
  const { secret } = (await answer.json()) as LoginAnswer;
  localStorage.setItem(SECRET, secret);
  return true;
}

/** Signs this browser out, here and on the server. @throws Error with a message for people. */
export async function logOut(): Promise<void> {
  const answer = await fetch('api/logout', { method: 'POST', headers: secretHeaders() }).catch(
    () => undefined,
  );
  // 401: somebody else has signed it out already.
  if (answer === undefined || (!answer.ok && answer.status !== 401))
    throw new Error('The server cannot be reached.');
  localStorage.removeItem(SECRET);
}

/** Whether the server knows this browser. An unreachable server is not an answer. */
export async function isLoggedIn(): Promise<boolean> {
  if (localStorage.getItem(SECRET) === null) return false;
  const { status } = await fetch('api/me', { cache: 'no-store', headers: secretHeaders() });
  return status !== 401 && status !== 403;
}

/** The headers of a request to the server. */
export function secretHeaders(): { readonly authorization: string } {
  return { authorization: `Bearer ${localStorage.getItem(SECRET) ?? ''}` };
}

/** The subprotocols for the socket: the secret is one of them, because a page cannot add a header. */
export function socketProtocols(): string[] {
  return [SOCKET_PROTOCOL, `${KEY_PROTOCOL}${localStorage.getItem(SECRET) ?? ''}`];
}

const SECRET = 'coxswain.secret';

/** The tab's own id, kept across reloads, and a display name for others. */
export function thisClient(makeId: () => string): { readonly client: string; readonly name: string } {
  const client = sessionStorage.getItem(CLIENT) ?? makeId();
  sessionStorage.setItem(CLIENT, client);
  return { client, name: browserName(navigator.userAgent) };
}

const CLIENT = 'coxswain.client';
