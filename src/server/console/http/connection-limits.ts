import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many unauthenticated connections one address may have, and all addresses together. Many requests that come at
 * once, perhaps through one proxy, are all unauthenticated for a moment.
 */
const PER_ADDRESS = 512;
const IN_ALL = 2_048;

/** How long a request may take to arrive, with the largest body on a slow line, and how long a connection may be idle. */
export const REQUEST_TIMES = {
  headersTimeout: 5_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** Where a connection comes from. */
export type RemoteEnd = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Limits unauthenticated connections. The oldest gives way to a new one, so nobody can lock others out by holding
 * idle connections.
 */
export class ConnectionLimits {
  /** By address and port: the socket of a request over TLS is not the one that connected. */
  readonly #waiting = new Map<string, Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** The connection now belongs to a client, and the number of clients is limited anyway. */
  cameIn(end: RemoteEnd): void {
    this.#waiting.delete(nameOf(end));
  }

  #add(socket: Socket): void {
    const [name, address] = [nameOf(socket), socket.remoteAddress];
    this.#waiting.set(name, socket);
    socket.once('close', () => {
      if (this.#waiting.get(name) === socket) this.#waiting.delete(name);
    });
    const all = [...this.#waiting];
    const same = all.filter(([, { remoteAddress }]) => remoteAddress === address);
    const [oldest] = same.length > PER_ADDRESS ? same : all.length > IN_ALL ? all : [];
    if (oldest === undefined) return;
    this.#waiting.delete(oldest[0]);
    oldest[1].destroy();
  }
}

function nameOf({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`;
}
