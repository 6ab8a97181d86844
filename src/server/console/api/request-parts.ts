import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { z } from 'zod';
import { HttpProblem } from './problems.js';
import type { Route } from './route.js';

/** A raw body and its content. @throws HttpProblem for anything that the route does not accept. */
export async function readBody(
  { body: schema, bodyIsOptional = false }: Route,
  incoming: IncomingMessage | Http2ServerRequest,
  maxBytes: number,
): Promise<{ readonly text: string; readonly body: unknown }> {
  if (schema === undefined) return { text: '', body: undefined };
  const text = await readText(incoming, maxBytes);
  if (text === '' && bodyIsOptional) return { text, body: check(schema, {}, 'body') };
  const [type = ''] = (incoming.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new HttpProblem(415, 'COMMAND_INVALID', { detail: 'The body must be application/json.' });
  return { text, body: check(schema, parse(text), 'body') };
}

/** Reads no more than the limit, whatever the declared length. */
export async function readText(
  incoming: IncomingMessage | Http2ServerRequest,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = Number(incoming.headers['content-length'] ?? 0) > maxBytes ? maxBytes + 1 : 0;
  if (bytes === 0) {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  }
  if (bytes <= maxBytes) return Buffer.concat(chunks).toString();
  const headers = { connection: 'close' };
  throw new HttpProblem(413, 'BODY_TOO_LONG', {
    detail: `A body may have up to ${maxBytes} bytes.`,
    headers,
  });
}

/** The query of a request. @throws HttpProblem for anything that the route does not accept. */
export function readQuery(
  schema: z.ZodObject,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return check(schema, query, 'query') as Readonly<Record<string, unknown>>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'COMMAND_INVALID', { detail: 'The body is not JSON.' });
  }
}

/** The maximum number of errors to report. */
const TOLD = 20;

function check(schema: z.ZodType, value: unknown, what: 'body' | 'query'): unknown {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const errors = found.error.issues.slice(0, TOLD).map(({ path, message }) => ({
    pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    detail: message,
  }));
  throw new HttpProblem(400, 'COMMAND_INVALID', {
    detail: `The ${what} is invalid.`,
    errors,
  });
}
