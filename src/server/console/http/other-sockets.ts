import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Conversations, ConversationsFor } from '../service/conversations.js';
import type { Hub, HubClient } from '../socket/hub.js';
import type { Visitor } from './access.js';

/** Serves a socket with the conversations that its client may use; resolves when it is over. */
export type ServeSocket = (socket: WebSocket, conversations: Conversations) => Promise<void>;

/** Sockets that are not served by the console itself, such as an agent for editors. */
export class OtherSockets {
  readonly #served: Readonly<Record<string, ServeSocket>>;
  readonly #conversationsFor: ConversationsFor;
  readonly #hub: Pick<Hub, 'join'>;
  readonly #open = new Map<WebSocket, Promise<void>>();

  constructor(
    served: Readonly<Record<string, ServeSocket>>,
    conversationsFor: ConversationsFor,
    hub: Pick<Hub, 'join'>,
  ) {
    this.#served = served;
    this.#conversationsFor = conversationsFor;
    this.#hub = hub;
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#served, path);
  }

  /** Takes a socket if it is one of these; returns whether it did. */
  add(socket: WebSocket, { url }: IncomingMessage, visitor: Visitor): boolean {
    const serve = this.has(pathOf(url)) ? this.#served[pathOf(url)] : undefined;
    if (serve === undefined) return false;
    // The close event follows and says everything.
    socket.on('error', () => {});
    // Before its conversations join: the socket is closed first, with the reason.
    socket.on('close', this.#hub.join(asClient(socket, visitor)));
    const over = serve(socket, this.#conversationsFor(visitor, 'An editor'))
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

/** A socket as a client of the hub, which checks its key and whether it is alive. */
function asClient(socket: WebSocket, visitor: Visitor): HubClient {
  let isAlive = true;
  const alive = () => {
    isAlive = true;
  };
  socket.on('pong', alive);
  socket.on('message', alive);
  return {
    visitor,
    client: randomUUID(),
    send: () => {},
    changed: () => {},
    forget: () => {},
    checkAlive: () => {
      // Nothing is read from a client that is too slow; its stream drops it if it takes nothing.
      if (socket.isPaused) alive();
      else if (!isAlive) socket.terminate();
      else {
        isAlive = false;
        socket.ping();
      }
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  };
}

/** The path of a URL, without the query. */
export function pathOf(url = ''): string {
  return url.split('?')[0] ?? '';
}
