import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { tokenIn } from './access.js';

/** Serves a socket for a token's holder; resolves when it is over. */
export type ServeSocket = (socket: WebSocket, token: string) => Promise<void>;

/** Sockets that are not served by the console itself, such as an agent for editors. */
export class OtherSockets {
  readonly #served: Readonly<Record<string, ServeSocket>>;
  readonly #open = new Map<WebSocket, Promise<void>>();

  constructor(served: Readonly<Record<string, ServeSocket>>) {
    this.#served = served;
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#served, path);
  }

  /** Takes a socket if it is one of these; returns whether it did. */
  add(socket: WebSocket, { url, headers }: IncomingMessage): boolean {
    const serve = this.has(pathOf(url)) ? this.#served[pathOf(url)] : undefined;
    if (serve === undefined) return false;
    // The close event follows and says everything.
    socket.on('error', () => {});
    const over = serve(socket, tokenIn(headers) ?? '')
      .catch(() => socket.close(BROKEN, 'it could not be served'))
      .finally(() => this.#open.delete(socket));
    this.#open.set(socket, over);
    return true;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const open = [...this.#open];
    for (const [socket] of open) socket.terminate();
    await Promise.all(open.map(([, over]) => over));
  }
}

const BROKEN = 1011;

/** The path of a URL, without the query. */
export function pathOf(url = ''): string {
  return url.split('?')[0] ?? '';
}
