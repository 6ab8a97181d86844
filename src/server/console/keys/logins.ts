import type { Role } from '../../../entry/remote/contract.js';
import { kinds, oneOf, shapeOf } from '../../../wire/util/option-checks.js';
import { hashOf, type Key, makeSecret } from './key.js';
import { StoredList } from './stored-list.js';

/** A browser that signed in with a key. */
export interface Login {
  /** Of the browser's secret. */
  readonly hash: string;
  /** The hash of the key's token: without the key, the login is worthless. */
  readonly key: string;
  /** If it has joined through a code of another device: its own rights. */
  readonly role?: Role | undefined;
  readonly expiresAt: number;
  /** What the browser calls itself. */
  readonly agent?: string | undefined;
}

/** The file in the state folder. */
export const LOGINS_FILE = 'logins.json';
/** How long a browser stays logged in, and how many are remembered. */
const LIFE_MS = 30 * 24 * 3_600_000;
const MOST = 500;
const LONGEST_AGENT = 300;

const aLogin = shapeOf(
  {
    hash: kinds.text,
    key: kinds.text,
    role: oneOf('owner', 'operator', 'watcher'),
    expiresAt: kinds.number,
    agent: kinds.anyText,
  },
  { required: ['hash', 'key', 'expiresAt'], hasOthers: true },
);

/**
 * The browsers that are logged in. Each has its own secret, stored on disk only as a hash: someone who can read the
 * state folder, such as a CLI's tool, cannot sign in with it.
 */
export class Logins {
  readonly #list: StoredList<Login>;
  /** If the disk fails, a login does not survive a restart; nothing else is lost. */
  #logins: readonly Login[];

  constructor(path: string) {
    this.#list = new StoredList({ path, kind: aLogin });
    this.#logins = this.#list.all;
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#list.problems;
  }

  /** Those that have not expired. */
  all(now: number): readonly Login[] {
    return this.#logins.filter(({ expiresAt }) => expiresAt > now);
  }

  /** Signs a browser in with a key, and returns its secret. */
  add({ hash: key }: Key, now: number, { role, agent }: Pick<Login, 'role' | 'agent'> = {}): string {
    const secret = makeSecret();
    const login = { hash: hashOf(secret), key, role, agent: agent?.slice(0, LONGEST_AGENT) };
    this.#keep([...this.all(now).slice(-MOST + 1), { ...login, expiresAt: now + LIFE_MS }]);
    return secret;
  }

  /** Signs a browser out. */
  remove(secretHash: string): void {
    this.#keep(this.#logins.filter(({ hash }) => hash !== secretHash));
  }

  /** A browser's login, by the hash of its secret. */
  find(secretHash: string, now: number): Login | undefined {
    return this.#logins.find(({ hash, expiresAt }) => hash === secretHash && expiresAt > now);
  }

  /** When a browser signed in. */
  static since({ expiresAt }: Login): number {
    return expiresAt - LIFE_MS;
  }

  #keep(logins: readonly Login[]): void {
    this.#logins = logins;
    try {
      this.#list.write(logins);
    } catch {
      // See above.
    }
  }
}
