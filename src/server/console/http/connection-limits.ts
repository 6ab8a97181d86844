import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many unauthenticated connections one address may have, and all addresses together. */
const PER_ADDRESS = 64;
const IN_ALL = 512;

/** How long a request may take to arrive, and how long a connection may be idle. */
export const REQUEST_TIMES = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * Limits unauthenticated connections. The oldest gives way to a new one, so nobody can lock others out by holding
 * idle connections.
 */
export class ConnectionLimits {
  readonly #waiting = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** The connection now belongs to a client, and the number of clients is limited anyway. */
  cameIn(socket: unknown): void {
    this.#waiting.delete(socket as Socket);
  }

  #add(socket: Socket): void {
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    const address = socket.remoteAddress;
    const same = [...this.#waiting].filter(({ remoteAddress }) => remoteAddress === address);
    const [oldest] = same.length > PER_ADDRESS ? same : this.#waiting.size > IN_ALL ? this.#waiting : [];
    if (oldest === undefined) return;
    this.#waiting.delete(oldest);
    oldest.destroy();
  }
}
