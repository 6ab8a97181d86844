import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** What lets somebody in: the hash of a token, under a name that others see. */
export interface Key {
  readonly name: string;
  readonly role: Role;
  /** Of the token, which nobody but its holder has. */
  readonly hash: string;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Undefined for one that stays good. */
  readonly expiresAt?: number | undefined;
}

/** The hash that stands for a secret. No salt is needed: nobody can go through all tokens of 256 random bits. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A secret that nobody can guess. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The shortest token that may be chosen by hand, and how many different characters it has at least. */
const SHORTEST = 24;
const FEWEST = 10;

/** Refuses a token that could be guessed. @throws CoxswainError `CONSOLE_NOT_STARTED`. */
export function checkToken(token: string): void {
  const isWeak = token.length < SHORTEST || new Set(token).size < FEWEST;
  // Headers carry it: other characters would be refused there, without a reason.
  const isOdd = !/^[\x20-\x7e]+$/.test(token);
  if (!isWeak && !isOdd) return;
  const message = `A token must have at least ${SHORTEST} characters, ${FEWEST} different ones among them, and only ASCII. \`openssl rand -base64 32\` creates a good one.`;
  throw new CoxswainError('CONSOLE_NOT_STARTED', message);
}
