import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** The names by which a server may be called. */
export class Names {
  readonly #names: ReadonlySet<string>;
  readonly #byHand: ReadonlySet<string>;

  /** `allowed` are further names, such as that of a proxy before the server. */
  constructor(host: string, allowed: readonly string[] = []) {
    this.#byHand = new Set(allowed.map((name) => name.toLowerCase()));
    this.#names = new Set([...ownNames(host).map((name) => name.toLowerCase()), ...this.#byHand]);
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
}

/** A name or an address, and perhaps a port; nothing that the reader of addresses would take for something else. */
const HOST = /^[\w.\-:[\]]+$/;

/** Whether a name or address means this machine alone. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The names of a server that listens on an address; on all addresses, those of this machine. */
function ownNames(host: string): readonly string[] {
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  if (!isEveryAddress(host)) return [...loopback, inUrl(host)];
  return [...loopback, hostname(), ...ownAddresses().map(({ address }) => inUrl(address))];
}

/** The address that others get: if the server listens on all addresses, one that they can reach. */
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

/** A host as an address of a page has it. */
function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
