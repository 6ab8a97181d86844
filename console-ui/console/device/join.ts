import type { JoinAnswer, Role } from '../../../src/entry/remote/contract.js';
import { secretHeaders } from '../link/login.js';

/** Asks the server for a code that lets one more device in. @throws Error with a message for people. */
export async function askToJoin(role: Role): Promise<JoinAnswer> {
  const answer = await fetch('api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...secretHeaders() },
    body: JSON.stringify({ role }),
  }).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (!answer.ok) throw new Error('Your key does not allow this.');
  return (await answer.json()) as JoinAnswer;
}

/** The roles that a key's holder can give to another device, the lowest first. */
export function rolesWithin(own: Role): readonly Role[] {
  const all: readonly Role[] = ['watcher', 'operator', 'owner'];
  return all.slice(0, all.indexOf(own) + 1);
}

/** The address that a device opens: the address of this page, unless only this machine can reach that. */
export function joinAddress({ code, origin }: Pick<JoinAnswer, 'code' | 'origin'>, here: string): string {
  const from = isLocal(here) ? origin : here;
  return `${from}/#token=${code}`;
}

/** Whether only this machine can reach an address. */
export function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
