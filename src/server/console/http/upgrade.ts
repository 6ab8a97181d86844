import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Hub } from '../socket/hub.js';
import type { Access, Visitor } from './access.js';

/** What {@link makeUpgrade} works with. */
export interface UpgradeOptions {
  readonly access: Access;
  readonly hub: Hub;
  /** The longest message that a client may send, in bytes. */
  readonly maxMessage: number;
}

/** Answers requests for the socket: only of those who have logged in, and of no other site's page. */
export function makeUpgrade({ access, hub, maxMessage }: UpgradeOptions) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessage, perMessageDeflate: false });
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client that leaves in the middle is no reason to crash.
    socket.on('error', () => {});
    const who = access.whoIs(request.headers);
    const refusal = whyNot(request, who, { access, hub });
    if (refusal !== undefined || who === undefined) {
      const answer = `HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      socket.end(answer, () => socket.destroy());
    } else {
      sockets.handleUpgrade(request, socket, head, (accepted) => hub.add(accepted, who));
    }
  };
}

function whyNot(
  { url, headers }: IncomingMessage,
  who: Visitor | undefined,
  { access, hub }: Pick<UpgradeOptions, 'access' | 'hub'>,
): string | undefined {
  if (url?.split('?')[0] !== '/api/socket') return '404 Not Found';
  if (!access.isOurs(headers)) return '403 Forbidden';
  if (who === undefined) return '401 Unauthorized';
  // Browsers name the page that opens a socket; a cookie without that did not come from one.
  if (who.kind === 'page' && headers.origin === undefined) return '403 Forbidden';
  return hub.hasRoomFor(who) ? undefined : '503 Service Unavailable';
}
