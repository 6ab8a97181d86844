import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { CoxswainError } from '../../../wire/util/errors.js';

/** What {@link Access} is made with. */
export interface AccessOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly token: string;
  /** Another token, that of those who may look and nothing else. */
  readonly watchToken?: string | undefined;
  /** Further names by which the server may be called, such as that of a proxy before it. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Somebody who has logged in. */
export interface Visitor {
  readonly kind: 'page' | 'program';
  /** Whether they may look and nothing else. */
  readonly watchOnly: boolean;
}

/** What lets somebody in: a token, and the cookie that stands for it in a browser. */
interface Key {
  readonly token: string;
  readonly cookie: string;
  readonly watchOnly: boolean;
}

/** Who may come in: a token for everybody, and for pages a list of addresses that they may have been loaded from. */
export class Access {
  readonly #keys: readonly Key[];
  readonly #names: ReadonlySet<string>;
  readonly #byHand: ReadonlySet<string>;
  #port = 0;

  constructor({ host, token, watchToken, allowedHosts = [] }: AccessOptions) {
    const watching = watchToken === undefined ? [] : [makeKey(watchToken, true)];
    this.#keys = [makeKey(token, false), ...watching];
    this.#byHand = new Set(allowedHosts.map((name) => name.toLowerCase()));
    this.#names = new Set([...ownNames(host).map((name) => name.toLowerCase()), ...this.#byHand]);
  }

  /** The server listens now. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** The cookie that stands for a token, if it is one; ports share cookies, so its name tells them apart. */
  cookieFor(token: unknown): string | undefined {
    const key = this.#keyWith('token', token);
    if (key === undefined) return undefined;
    return `${this.#cookieName}=${key.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${30 * 24 * 3600}`;
  }

  /**
   * Whether a request was sent to this server by its own name, and if by a page, by one of its own. The first keeps
   * out names that were made to point here (DNS rebinding), the second the pages of other sites and other ports.
   */
  isOurs({ host, origin }: IncomingHttpHeaders): boolean {
    const called = host !== undefined && HOST.test(host) ? parse(`http://${host}`) : undefined;
    if (called === undefined || !this.#names.has(called.hostname)) return false;
    if (origin === undefined) return true;
    const page = parse(origin);
    if (page === undefined || !/^https?:$/.test(page.protocol)) return false;
    // A tunnel changes the port for both; a proxy may change the name for one, which has to be allowed by hand.
    return page.host === called.host || this.#byHand.has(page.hostname);
  }

  /** Who has logged in: a page by its cookie, a program by the token itself. */
  whoIs({ authorization, cookie }: IncomingHttpHeaders): Visitor | undefined {
    const kind = authorization === undefined ? 'page' : 'program';
    const key =
      authorization === undefined
        ? this.#keyWith('cookie', cookieIn(cookie, this.#cookieName))
        : this.#keyWith('token', /^Bearer (.+)$/i.exec(authorization)?.[1]);
    return key && { kind, watchOnly: key.watchOnly };
  }

  #keyWith(part: 'token' | 'cookie', given: unknown): Key | undefined {
    return typeof given === 'string' ? this.#keys.find((key) => isSame(given, key[part])) : undefined;
  }

  get #cookieName(): string {
    return `coxswain_${this.#port}`;
  }
}

function makeKey(token: string, watchOnly: boolean): Key {
  // From the token alone: it stays good when the server is started again with the same one.
  const cookie = createHmac('sha256', token).update('coxswain console cookie').digest('base64url');
  return { token, cookie, watchOnly };
}

/** A name or an address, and perhaps a port; nothing that the reader of addresses would take for something else. */
const HOST = /^[\w.\-:[\]]+$/;

/** A token that nobody can guess. */
function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The shortest token that may be chosen by hand. */
const SHORTEST = 24;

/**
 * The token to use. One address but this machine's own must not be opened with a token that nobody knows of.
 * @throws CoxswainError `CONSOLE_NOT_STARTED`.
 */
export function chooseToken(host: string, given: string | undefined): string {
  if (given !== undefined) checkLength(given);
  if (given === undefined && !isLoopbackName(host)) {
    const message = `The console is not opened on ${host} without a token of your own (COXSWAIN_TOKEN).`;
    throw new CoxswainError('CONSOLE_NOT_STARTED', message);
  }
  return given ?? makeToken();
}

/** The token to watch with: a random one for `true`. @throws CoxswainError `CONSOLE_NOT_STARTED`. */
export function chooseWatchToken(token: string, given: string | boolean | undefined): string | undefined {
  if (given === undefined || given === false) return undefined;
  if (given === true) return makeToken();
  checkLength(given);
  if (given === token) {
    const message = 'The token to watch with must be another one than the token that allows everything.';
    throw new CoxswainError('CONSOLE_NOT_STARTED', message);
  }
  return given;
}

function checkLength(token: string): void {
  if (token.length >= SHORTEST) return;
  throw new CoxswainError('CONSOLE_NOT_STARTED', `A token must have at least ${SHORTEST} characters.`);
}

/** Whether a name or address means this machine alone. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The names of a server that listens on an address; on all addresses, those of this machine. */
function ownNames(host: string): readonly string[] {
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  const all = host === '0.0.0.0' || host === '::';
  if (!all) return [...loopback, inUrl(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => address),
  );
  return [...loopback, hostname(), ...addresses.map(inUrl)];
}

/** A host as an address of a page has it. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Takes the same time however much of it is right. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
