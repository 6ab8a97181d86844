import type { Clock } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { type InProcessServer, isServerObject, type McpTransport } from './server-object.js';

/** How to connect a server. */
export interface ConnectOptions {
  /** The server's name in this session, for errors. */
  readonly name: string;
  readonly deadlineMs: number;
  readonly clock: Clock;
  /** Ends the wait when nobody needs the server any more. */
  readonly signal: AbortSignal;
}

/**
 * Connects a server, or a new one if a function creates it, within its deadline.
 * @throws CoxswainError `MCP_SERVER_FAILED` naming the server.
 */
export async function connectServer(
  server: InProcessServer,
  transport: McpTransport,
  { name, deadlineMs, clock, signal }: ConnectOptions,
): Promise<void> {
  const release: (() => void)[] = [];
  const givenUp = new Promise<never>((_resolve, reject) => {
    const late = () => reject(serverFailure(name, `was not connected within ${deadlineMs} ms`));
    const aborted = () => reject(serverFailure(name, 'was closed'));
    signal.addEventListener('abort', aborted, { once: true });
    release.push(clock.after(deadlineMs, late), () => signal.removeEventListener('abort', aborted));
  });
  try {
    await Promise.race([makeAndConnect(server, transport, name), givenUp]);
  } catch (error) {
    throw isFailure(error) ? error : serverFailure(name, 'could not be connected', error);
  } finally {
    for (const each of release) each();
  }
}

/** The error for a server that cannot be used. */
export function serverFailure(name: string, what: string, cause?: unknown): CoxswainError {
  const why = cause === undefined ? '' : `: ${errorText(cause)}`;
  const text = `MCP server "${name}" ${what}${why}${hintFor(why)}`;
  return new CoxswainError('MCP_SERVER_FAILED', text, cause === undefined ? {} : { cause });
}

async function makeAndConnect(server: InProcessServer, transport: McpTransport, name: string): Promise<void> {
  const made: unknown = typeof server === 'function' ? await server() : server;
  if (!isServerObject(made)) throw serverFailure(name, 'has no connect(transport) method');
  await made.connect(transport);
}

function isFailure(error: unknown): error is CoxswainError {
  return error instanceof CoxswainError && error.code === 'MCP_SERVER_FAILED';
}

/** The servers of the MCP libraries refuse a second connection, so one object cannot serve two sessions. */
function hintFor(why: string): string {
  return /already connected/i.test(why)
    ? ' A server object serves one session at a time: pass a function that creates a new one.'
    : '.';
}
