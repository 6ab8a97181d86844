import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import type { Conversations } from '../service/conversations.js';
import { makeMcpServer } from './mcp-server.js';

/** The dependencies of {@link serveStdio}. */
export interface StdioParts {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly version: string;
}

/** Serves MCP on stdin and stdout until the client or the console is gone, or the signal is aborted. */
export async function serveStdio(
  { conversations, clock, version }: StdioParts,
  signal: AbortSignal,
): Promise<void> {
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const over = deferred<void>();
  const onOver = () => over.resolve();
  const transport = new StdioServerTransport();
  process.stdin.once('end', onOver).once('close', onOver);
  signal.addEventListener('abort', onOver, { once: true });
  const forget = conversations.watch({ onLost: onOver });
  const handle = serve(() => makeMcpServer({ conversations, clock, version }), { transport });
  await over.promise;
  forget();
  await handle.close();
}
