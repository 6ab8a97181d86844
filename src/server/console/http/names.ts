import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** The host names under which a server may be reached. */
export class Names {
  readonly #names: ReadonlySet<string>;
  readonly #byHand: ReadonlySet<string>;

  /** `allowed` are additional names, such as that of a proxy in front of the server. */
  constructor(host: string, allowed: readonly string[] = []) {
    this.#byHand = new Set(allowed.map((name) => name.toLowerCase()));
    this.#names = new Set([...ownNames(host).map((name) => name.toLowerCase()), ...this.#byHand]);
  }

  /**
   * Whether a request was sent to one of this server's own names and, if a page sent it, by one of the server's own
   * pages. The first check stops names made to point here (DNS rebinding), the second stops pages from other sites
   * and ports.
   */
  isOurs({ host, origin }: IncomingHttpHeaders): boolean {
    const called = host !== undefined && HOST.test(host) ? parse(`http://${host}`) : undefined;
    if (called === undefined || !this.#names.has(called.hostname)) return false;
    if (origin === undefined) return true;
    const page = parse(origin);
    if (page === undefined || !/^https?:$/.test(page.protocol)) return false;
    // A tunnel changes the port for both; a proxy may change only one of the names, which must then be
    // allowed explicitly.
    return page.host === called.host || this.#byHand.has(page.hostname);
  }
}

/** A name or an address, with an optional port, and nothing that a URL parser would read differently. */
const HOST = /^[\w.\-:[\]]+$/;

/** Whether a name or address means this machine only. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * The names of a server that listens on an address; if it listens on all addresses, those of this machine.
 */
function ownNames(host: string): readonly string[] {
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  if (!isEveryAddress(host)) return [...loopback, inUrl(host)];
  return [...loopback, hostname(), ...ownAddresses().map(({ address }) => inUrl(address))];
}

/** The address to give to others: if the server listens on all addresses, one that they can reach. */
export function toldHost(host: string): string {
  if (!isEveryAddress(host)) return inUrl(host);
  const outside = ownAddresses().filter(({ internal }) => !internal);
  const best = outside.find(({ family }) => family === 'IPv4') ?? outside[0];
  return inUrl(best?.address ?? '127.0.0.1');
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function ownAddresses() {
  return Object.values(networkInterfaces())
    .flatMap((each = []) => each)
    .filter(({ address }) => !address.startsWith('fe80:'));
}

/** A host as written in a URL. */
function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
