import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PROTOCOL, type Role } from '../../../entry/remote/contract.js';
import { quietClock } from '../../../wire/transport/quiet-clock.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deviceId } from '../keys/devices.js';
import { isWithin, JoinCodes } from '../keys/join-codes.js';
import { hashOf, type Key, makeSecret } from '../keys/key.js';
import type { KeyFile } from '../keys/key-file.js';
import type { LastUses } from '../keys/last-uses.js';
import type { Logins } from '../keys/logins.js';

/** The dependencies of {@link Access}. */
export interface AccessOptions {
  /** The keys from this start's tokens. */
  readonly keys: readonly Key[];
  /** The keys created by command. */
  readonly file: KeyFile;
  readonly logins: Logins;
  readonly uses?: LastUses | undefined;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Default: one that cannot keep a closed server alive. */
  readonly clock?: Clock | undefined;
  /** A one-time address was used. */
  readonly onCodeUsed?: ((key: Key) => void) | undefined;
}

/** Someone who is signed in. */
export interface Visitor {
  readonly kind: 'page' | 'program';
  readonly role: Role;
  /** The name of the key. */
  readonly key: string;
  /** The hash of its token. */
  readonly keyHash: string;
  /** The hash of a browser's secret. */
  readonly login?: string | undefined;
  /** The id of the browser, or of the key. */
  readonly device?: string | undefined;
  /** Its address. */
  readonly from?: string | undefined;
}

/** What is known about a browser that signs in. */
interface LoginFacts {
  readonly from?: string | undefined;
  readonly agent?: string | undefined;
}

/** Someone who has just signed in. */
export interface LoggedIn {
  readonly secret: string;
  readonly visitor: Visitor;
  /** Whether it joined through another device. */
  readonly joined: boolean;
}

/**
 * How long a caller without a valid key waits for the answer: together with the connection limit, this slows
 * down guessing.
 */
const GUESS_MS = 500;

/** How many one-time addresses are valid at a time; the latest ones win. */
const MOST_CODES = 100;

/**
 * Who has access. Programs send a token; a page exchanges it for a secret that it keeps in its own storage. There are
 * no cookies: a browser would send them to every server on this machine, whatever its port.
 */
export class Access {
  readonly #options: AccessOptions;
  /** By the hash of an address's token: the key that it represents, once. */
  readonly #codes = new Map<string, string>();
  readonly #joins = new JoinCodes();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Resolves when a guess may be answered. */
  afterGuess(): Promise<void> {
    const { clock = quietClock } = this.#options;
    return new Promise((resolve) => clock.after(GUESS_MS, resolve));
  }

  /** A one-time token for a page's address, because browsers remember addresses. */
  makeCode({ hash }: Pick<Key, 'hash'>): string {
    const code = makeSecret();
    this.#codes.set(hashOf(code), hash);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** Exchanges a token for one browser's secret; undefined if it is invalid. */
  logIn(token: unknown, { from, agent }: LoginFacts = {}): LoggedIn | undefined {
    if (typeof token !== 'string') return undefined;
    const hash = hashOf(token);
    const { logins, now, onCodeUsed } = this.#options;
    const joining = this.#joins.take(hash, now());
    // Whoever was signed out does not come back with an invitation of its own.
    if (joining?.login !== undefined && logins.find(joining.login, now()) === undefined) return undefined;
    const coded = this.#codes.get(hash);
    const key = this.#keyWith(joining?.key ?? coded ?? hash);
    if (key === undefined) return undefined;
    this.#codes.delete(hash);
    if (coded !== undefined) onCodeUsed?.(key);
    const secret = logins.add(key, now(), { role: joining?.role, agent });
    const visitor = this.#visitor(hashOf(secret), from);
    return visitor && { secret, visitor, joined: joining !== undefined };
  }

  /** Signs a browser out; returns whether it is one. */
  logOut({ login }: Visitor): boolean {
    if (login === undefined) return false;
    this.#options.logins.remove(login);
    return true;
  }

  /** A code that lets one more device in, under the caller's key and with no more rights; undefined if refused. */
  join({ keyHash: key, role: own, login }: Visitor, role: Role): string | undefined {
    if (own === 'watcher' || !isWithin(role, own)) return undefined;
    return this.#joins.make({ key, role, login }, this.#options.now());
  }

  /** Who sends a request: a page is identified by its secret, a program by the token itself. */
  whoIs(headers: IncomingHttpHeaders, from?: string): Visitor | undefined {
    const sent = tokenIn(headers);
    return sent === undefined ? undefined : this.#visitor(hashOf(sent), from);
  }

  #visitor(hash: string, from: string | undefined): Visitor | undefined {
    const token = this.#keyWith(hash);
    const login = this.#options.logins.find(hash, this.#options.now());
    const key = token ?? this.#keyWith(login?.key);
    if (key === undefined) return undefined;
    const joined = token === undefined ? login?.role : undefined;
    this.#options.uses?.note(hash, { at: this.#options.now(), from });
    return {
      kind: token === undefined ? 'page' : 'program',
      role: joined !== undefined && isWithin(joined, key.role) ? joined : key.role,
      key: key.name,
      keyHash: key.hash,
      login: token === undefined ? hash : undefined,
      device: deviceId(hash),
      from,
    };
  }

  /** Whether someone's key is still valid, with the same rights, and a browser is still signed in. */
  isGood({ keyHash, role, login }: Visitor): boolean {
    const { logins, now } = this.#options;
    const key = this.#keyWith(keyHash);
    const isSignedIn = login === undefined || logins.find(login, now()) !== undefined;
    return key !== undefined && isWithin(role, key.role) && isSignedIn;
  }

  #keyWith(hash: string | undefined): Key | undefined {
    const { keys, file, now } = this.#options;
    // Compares hashes, so timing reveals nothing about a token.
    const found = [...keys, ...file.all].find((key) => key.hash === hash);
    return found?.expiresAt !== undefined && found.expiresAt <= now() ? undefined : found;
  }
}

/** Programs send a header; pages cannot do that with a socket, so they pass their secret as a subprotocol. */
export function tokenIn(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'sec-websocket-protocol': protocols = '' } = headers;
  if (authorization !== undefined) return /^Bearer (.+)$/i.exec(authorization)?.[1];
  const named = protocols.split(',').map((each) => each.trim());
  return named.find((each) => each.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length);
}
