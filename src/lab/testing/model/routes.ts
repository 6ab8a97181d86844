import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { RawRequest } from './request.js';

/** What a request asks for. */
export type Route = 'messages' | 'count-tokens' | 'probe' | 'other';

/** A parsed request, or the error that it gets immediately. */
export type ReadOutcome =
  | { readonly kind: 'read'; readonly route: Route; readonly raw: RawRequest }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'gone' };

/** Reads a request and determines its route. */
export async function readRoute(request: IncomingMessage, maxBodyBytes: number): Promise<ReadOutcome> {
  const method = request.method ?? 'GET';
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const body = await readBody(request, maxBodyBytes);
  if (body.kind === 'gone') return body;
  if (body.kind === 'too-large') {
    return { kind: 'refused', status: 413, message: `The body is longer than ${maxBodyBytes} bytes.` };
  }
  const route = routeOf(method, path);
  const raw = { method, path, headers: request.headers, size: body.bytes.length };
  if (route === 'probe' || route === 'other') return { kind: 'read', route, raw: { ...raw, body: {} } };
  const parsed = parseObject(body.bytes);
  if (parsed !== undefined) return { kind: 'read', route, raw: { ...raw, body: parsed } };
  return { kind: 'refused', status: 400, message: 'The body is not a JSON object.' };
}

/** Sends a small JSON answer. */
export function sendJson(out: ServerResponse, status: number, body: WireObject): void {
  out.writeHead(status, { 'content-type': 'application/json' });
  out.end(JSON.stringify(body));
}

function routeOf(method: string, path: string): Route {
  if (method === 'POST' && path === '/v1/messages') return 'messages';
  if (method === 'POST' && path === '/v1/messages/count_tokens') return 'count-tokens';
  return path === '/' && (method === 'HEAD' || method === 'GET') ? 'probe' : 'other';
}

function parseObject(bytes: Buffer): WireObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of a request, or why they were not read. */
export type BodyOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/** Reads a body up to a limit; the rest is read and discarded, so an answer gets through. */
export function readBody(request: IncomingMessage, limit: number): Promise<BodyOutcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve({ kind: 'too-large' });
    });
    request.once('end', () => resolve({ kind: 'read', bytes: Buffer.concat(chunks) }));
    request.once('close', () => resolve({ kind: 'gone' }));
  });
}
