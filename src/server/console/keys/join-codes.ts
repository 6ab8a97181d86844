import type { Role } from '../../../entry/remote/contract.js';
import { hashOf, type Key, makeSecret } from './key.js';

/** What a device that joins comes in as. */
export interface Joining {
  /** The hash of the key of whoever asked it to: without that key it is out again. */
  readonly key: string;
  readonly role: Role;
}

interface JoinCode extends Joining {
  readonly expiresAt: number;
}

/** How long a code is good, and how many are at a time, the latest. */
export const JOIN_MS = 2 * 60_000;
const MOST = 20;

const RANK: Readonly<Record<Role, number>> = { watcher: 0, operator: 1, owner: 2 };

/** Whether a role allows nothing that another one does not. */
export function isWithin(role: Role, other: Role): boolean {
  return RANK[role] <= RANK[other];
}

/** Codes by which a second device comes in: each once, and soon. They are kept in memory, as hashes. */
export class JoinCodes {
  readonly #codes = new Map<string, JoinCode>();

  /** Makes a code for a device that may do as much as a role allows. */
  make({ hash: key }: Pick<Key, 'hash'>, role: Role, now: number): string {
    const code = makeSecret();
    this.#codes.set(hashOf(code), { key, role, expiresAt: now + JOIN_MS });
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** Uses a code up, by its hash; undefined where it is not good. */
  take(hash: string, now: number): Joining | undefined {
    const found = this.#codes.get(hash);
    this.#codes.delete(hash);
    return found === undefined || found.expiresAt <= now ? undefined : found;
  }
}
