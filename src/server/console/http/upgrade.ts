import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { SOCKET_PROTOCOL } from '../../../entry/remote/contract.js';
import type { AuditLog } from '../keys/audit-log.js';
import type { Hub } from '../socket/hub.js';
import { type Access, tokenIn, type Visitor } from './access.js';
import type { ConnectionLimits } from './connection-limits.js';
import type { Names } from './names.js';
import { type OtherSockets, pathOf } from './other-sockets.js';

/** The dependencies of {@link makeUpgrade}. */
export interface UpgradeOptions {
  readonly access: Access;
  readonly audit: AuditLog;
  readonly names: Names;
  readonly connections: ConnectionLimits;
  readonly hub: Hub;
  /** Sockets other than the console's own, by path. */
  readonly others: OtherSockets;
  /** The maximum size of a client message, in bytes. */
  readonly maxMessage: number;
}

/** Handles upgrade requests: only from authenticated clients, and never from another site's page. */
export function makeUpgrade({ access, audit, names, connections, hub, others, maxMessage }: UpgradeOptions) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessage,
    perMessageDeflate: false,
    // Never the one that contains a secret.
    handleProtocols: (asked) => (asked.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
  });
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client that disconnects midway is no reason to crash.
    socket.on('error', () => {});
    const from = request.socket.remoteAddress;
    const who = access.whoIs(request.headers, from);
    if (who === undefined && tokenIn(request.headers) !== undefined) audit.refused('key refused', from);
    const refusal = whyNot(request, who, { names, hub, others });
    if (refusal !== undefined || who === undefined) {
      const answer = `HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      const say = () => socket.end(answer, () => socket.destroy());
      if (who === undefined) void access.afterGuess().then(say);
      else say();
    } else {
      connections.cameIn(request.socket);
      sockets.handleUpgrade(request, socket, head, (accepted) => {
        if (!others.add(accepted, request, who)) hub.add(accepted, who);
      });
    }
  };
}

function whyNot(
  { url, headers }: IncomingMessage,
  who: Visitor | undefined,
  { names, hub, others }: Pick<UpgradeOptions, 'names' | 'hub' | 'others'>,
): string | undefined {
  const isOther = others.has(pathOf(url));
  if (pathOf(url) !== '/api/socket' && !isOther) return '404 Not Found';
  if (!names.isOurs(headers)) return '403 Forbidden';
  if (who === undefined) return '401 Unauthorized';
  // Browsers name the page that opens a socket; without that, a page's secret did not come from a page.
  if (who.kind === 'page' && headers.origin === undefined) return '403 Forbidden';
  // Acting for someone takes a token, which a page does not have, and opening a session as a program takes an owner.
  if (isOther && (who.kind === 'page' || who.role !== 'owner')) return '403 Forbidden';
  return hub.hasRoomFor(who) ? undefined : '503 Service Unavailable';
}
