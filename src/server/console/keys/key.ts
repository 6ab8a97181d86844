import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** What grants access: the hash of a token, under a name that others see. */
export interface Key {
  readonly name: string;
  readonly role: Role;
  /** Of the token, which only its holder has. */
  readonly hash: string;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Undefined if it never expires. */
  readonly expiresAt?: number | undefined;
}

/** The hash of a secret. It needs no salt: nobody can try all tokens of 256 random bits. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A secret that nobody can guess. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The minimum length of a user-chosen token, and how many different characters it needs. */
const SHORTEST = 24;
const FEWEST = 10;

/** Refuses a guessable token; `variable` is where one usually sets it. @throws CoxswainError `CONSOLE_NOT_STARTED`. */
export function checkToken(token: string, variable: string): void {
  const isWeak = token.length < SHORTEST || new Set(token).size < FEWEST;
  // Headers carry it, and would refuse other characters without a reason.
  const isOdd = !/^[\x20-\x7e]+$/.test(token);
  if (!isWeak && !isOdd) return;
  const message = `The token in ${variable} must have at least ${SHORTEST} ASCII characters, at least ${FEWEST} of them different. \`openssl rand -base64 32\` creates a good one.`;
  throw new CoxswainError('CONSOLE_NOT_STARTED', message);
}
