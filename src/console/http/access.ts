import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { CoxswainError } from '../../util/errors.js';

/** What {@link Access} is made with. */
export interface AccessOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly token: string;
  /** Further names by which the server may be called, such as that of a proxy before it. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Who may come in: a token for everybody, and for pages a list of addresses that they may have been loaded from. */
export class Access {
  readonly #token: string;
  readonly #cookie: string;
  readonly #names: ReadonlySet<string>;
  readonly #byHand: ReadonlySet<string>;
  #port = 0;

  constructor({ host, token, allowedHosts = [] }: AccessOptions) {
    this.#token = token;
    // From the token alone: it stays good when the server is started again with the same one.
    this.#cookie = createHmac('sha256', token).update('coxswain console cookie').digest('base64url');
    this.#byHand = new Set(allowedHosts.map((name) => name.toLowerCase()));
    this.#names = new Set([...ownNames(host).map((name) => name.toLowerCase()), ...this.#byHand]);
  }

  /** The server listens now. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** Whether this is the token. */
  isToken(given: unknown): boolean {
    return typeof given === 'string' && isSame(given, this.#token);
  }

  /** The cookie that stands for the token; ports share cookies, so its name tells them apart. */
  get setCookie(): string {
    return `${this.#cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${30 * 24 * 3600}`;
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
  whoIs({ authorization, cookie }: IncomingHttpHeaders): 'page' | 'program' | undefined {
    if (authorization !== undefined) {
      return this.isToken(/^Bearer (.+)$/i.exec(authorization)?.[1]) ? 'program' : undefined;
    }
    const given = cookieIn(cookie, this.#cookieName);
    return given !== undefined && isSame(given, this.#cookie) ? 'page' : undefined;
  }

  get #cookieName(): string {
    return `coxswain_${this.#port}`;
  }
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
  if (given !== undefined && given.length < SHORTEST) {
    throw new CoxswainError('CONSOLE_NOT_STARTED', `The token must have at least ${SHORTEST} characters.`);
  }
  if (given === undefined && !isLoopbackName(host)) {
    const message = `The console is not opened on ${host} without a token of your own (COXSWAIN_TOKEN).`;
    throw new CoxswainError('CONSOLE_NOT_STARTED', message);
  }
  return given ?? makeToken();
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
