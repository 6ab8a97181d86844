import type { ConsoleClient } from '../../../entry/remote/console-client.js';
import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { makeMcpServer } from './mcp-server.js';
import { remoteConversations } from './remote-conversations.js';

/** The dependencies of {@link serveStdio}. */
export interface StdioParts {
  readonly client: ConsoleClient;
  readonly clock: Clock;
  readonly version: string;
}

/** Serves MCP on stdin and stdout until the client or the console is gone, or the signal is aborted. */
export async function serveStdio({ client, clock, version }: StdioParts, signal: AbortSignal): Promise<void> {
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const over = deferred<void>();
  const onOver = () => over.resolve();
  const transport = new StdioServerTransport();
  process.stdin.once('end', onOver).once('close', onOver);
  signal.addEventListener('abort', onOver, { once: true });
  const forget = client.on('lost', onOver);
  const conversations = remoteConversations(client);
  const handle = serve(() => makeMcpServer({ conversations, clock, version }), { transport });
  await over.promise;
  forget();
  await handle.close();
}
