import { randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type Clock, systemClock, within } from '../../util/clock.js';
import { CoxswainError } from '../../util/errors.js';
import { readPageTemplate } from '../page/page-template.js';
import { readTrace } from '../read/read-trace.js';
import { unreadable } from '../read/trace-errors.js';
import { routesFor } from './routes.js';
import { TraceWindows } from './trace-windows.js';

/** The options of {@link inspectTrace}. */
export interface InspectOptions {
  /** Default: a free port. */
  readonly port?: number | undefined;
  /** Whether to follow a recording that is still being written. */
  readonly follow?: boolean | undefined;
  /** How many bytes of the recording the page holds at once. Default: 16 MiB. */
  readonly windowBytes?: number | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** A recording that is being served. */
export interface InspectedTrace {
  /** The address of the page, with a random path on this machine. */
  readonly url: string;
  /** Sends viewers the rest, then closes within one second. */
  close(): Promise<void>;
}

/** How long viewers may take to read the rest on close. */
const CLOSE_MS = 1_000;
const MOST_CONNECTIONS = 64;

/**
 * Serves a page with a recording on 127.0.0.1. Reads the file in parts, as the viewer needs them. @throws CoxswainError
 * `TRACE_INVALID` for a file that is not a recording, `INSPECT_NOT_STARTED` for a port in use.
 */
export async function inspectTrace(path: string, options: InspectOptions = {}): Promise<InspectedTrace> {
  const { port = 0, follow = false, windowBytes, clock = systemClock } = options;
  await (follow ? checkThere(path) : checkFirst(path));
  const token = randomBytes(24).toString('base64url');
  const closing = new AbortController();
  const routes = routesFor({
    path,
    template: await readPageTemplate(),
    head: { name: basename(path), served: true, follow },
    windows: new TraceWindows(path, windowBytes),
    closing: closing.signal,
  });
  const busy = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const name = routeIn(request, token);
    if (name === undefined) return refuse(response);
    const answering = routes(name, request, response).catch(() => void response.destroy());
    busy.add(answering);
    void answering.then(() => busy.delete(answering));
  });
  server.maxConnections = MOST_CONNECTIONS;
  const url = `http://127.0.0.1:${await listen(server, port)}/${token}/`;
  return {
    url,
    close: async () => {
      closing.abort();
      await within(Promise.all(busy), CLOSE_MS, clock);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A recording that has just started may still be empty. */
async function checkThere(path: string): Promise<void> {
  await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** Fails early if a file is not a recording. */
async function checkFirst(path: string): Promise<void> {
  for await (const _ of readTrace(path)) return;
}

/** The requested resource; undefined without the secret, or under another host name. */
function routeIn({ method, url = '', headers, socket }: IncomingMessage, token: string): string | undefined {
  // DNS rebinding: a foreign page whose name resolves to this machine has its own name in Host.
  const names = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  const [, given = '', ...rest] = (url.split('?')[0] ?? '').split('/');
  const isOurs = method === 'GET' && names.includes(headers.host ?? '') && isSame(given, token);
  return isOurs && rest.length > 0 ? rest.join('/') : undefined;
}

function isSame(given: string, token: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(token)];
  return one.length === two.length && timingSafeEqual(one, two);
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found: use the printed address.\n');
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `The page could not be served on port ${port}: ${cause.message}.`;
      reject(new CoxswainError('INSPECT_NOT_STARTED', message, { cause }));
    });
    server.listen(port, '127.0.0.1', () => resolve(portOf(server.address())));
  });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
