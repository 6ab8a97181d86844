import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRole, type Role } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { hashOf, type Key, makeSecret } from './key.js';
import { writePrivately } from './private-file.js';

/** A browser that signed in with a key. */
interface Login {
  /** Of the browser's secret. */
  readonly hash: string;
  /** The hash of the key's token: without the key, the login is worthless. */
  readonly key: string;
  /** If it has fewer rights than the key. */
  readonly role?: Role | undefined;
  readonly expiresAt: number;
}

/** How long a browser stays logged in, and how many are remembered. */
const LIFE_MS = 30 * 24 * 3_600_000;
const MOST = 500;

/**
 * The browsers that are logged in. Each has its own secret, stored on disk only as a hash: someone who can read the
 * state folder, such as a CLI's tool, cannot sign in with it.
 */
export class Logins {
  readonly #path: string;
  #logins: readonly Login[];

  constructor(path: string) {
    this.#path = path;
    this.#logins = read(path);
  }

  /** Signs a browser in with a key, and returns its secret. */
  add({ hash: key }: Key, now: number, role?: Role): string {
    const secret = makeSecret();
    const kept = this.#logins.filter(({ expiresAt }) => expiresAt > now).slice(-MOST + 1);
    this.#logins = [...kept, { hash: hashOf(secret), key, role, expiresAt: now + LIFE_MS }];
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writePrivately(this.#path, JSON.stringify(this.#logins));
    } catch {
      // If the disk fails, the login does not survive a restart; nothing else is lost.
    }
    return secret;
  }

  /** A browser's login, by the hash of its secret: the hash of the key, and the role if it is lower than the key's. */
  find(secretHash: string, now: number): Pick<Login, 'key' | 'role'> | undefined {
    return this.#logins.find(({ hash, expiresAt }) => hash === secretHash && expiresAt > now);
  }
}

function read(path: string): readonly Login[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isLogin) : [];
  } catch {
    return [];
  }
}

function isLogin(value: unknown): value is Login {
  return (
    isObject(value) &&
    typeof value.hash === 'string' &&
    typeof value.key === 'string' &&
    (value.role === undefined || isRole(value.role)) &&
    typeof value.expiresAt === 'number'
  );
}
