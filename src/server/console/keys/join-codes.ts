import type { Role } from '../../../entry/remote/contract.js';
import { hashOf, makeSecret } from './key.js';

/** The rights of a device that joins. */
export interface Joining {
  /** The hash of the key of the person who invited it: without that key, the device loses access. */
  readonly key: string;
  readonly role: Role;
  /** The hash of the secret of the browser that invited it. */
  readonly login?: string | undefined;
}

interface JoinCode extends Joining {
  readonly expiresAt: number;
}

/** How long a code is valid, and how many are valid at a time; the latest ones win. */
export const JOIN_MS = 2 * 60_000;
const MOST = 20;

const RANK: Readonly<Record<Role, number>> = { watcher: 0, operator: 1, owner: 2 };

/** Whether a role allows nothing beyond another one. */
export function isWithin(role: Role, other: Role): boolean {
  return RANK[role] <= RANK[other];
}

/**
 * Codes that let a second device in: each works once, for a short time. They are kept in memory, as hashes.
 */
export class JoinCodes {
  readonly #codes = new Map<string, JoinCode>();

  /** Creates a code for a device with the rights of a role. */
  make(joining: Joining, now: number): string {
    const code = makeSecret();
    this.#codes.set(hashOf(code), { ...joining, expiresAt: now + JOIN_MS });
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** Uses up a code, by its hash; undefined if it is invalid. */
  take(hash: string, now: number): Joining | undefined {
    const found = this.#codes.get(hash);
    this.#codes.delete(hash);
    return found === undefined || found.expiresAt <= now ? undefined : found;
  }
}
