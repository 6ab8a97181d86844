import { resolve } from 'node:path';
import { findCli } from '../../host/cli/program/find-cli.js';
import { serveStdio } from '../../server/console/mcp/serve-stdio.js';
import { runningConsoles } from '../../server/console/running-file.js';
import { startConsole } from '../../server/console/start-console.js';
import { stateFolder } from '../../server/console/state-folder.js';
import { packageVersion } from '../../wire/package/built-file.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { type ConsoleChoice, connectConsole } from '../served/find-console.js';

/** The options of `coxswain mcp`. */
export interface McpFlags extends ConsoleChoice {
  readonly root?: readonly string[];
  readonly cli?: string;
  readonly role: 'operator' | 'owner';
}

/** Serves MCP on stdin and stdout until the client leaves; resolves with the exit code. */
export async function runMcp(flags: McpFlags, context: CommandContext): Promise<number> {
  const stopping = new AbortController();
  void context.untilSignal().then(() => stopping.abort());
  await using _own = await startWhereNoneRuns(flags, context);
  await using console = await connectConsole(flags, flags.role, context);
  const { conversations } = console;
  await serveStdio({ conversations, clock: context.clock, version: packageVersion() }, stopping.signal);
  return EXIT_OK;
}

/**
 * If no console is running, starts one for this command: its conversations end with it, and can be resumed.
 */
async function startWhereNoneRuns(
  { url, state, root = ['.'], cli }: McpFlags,
  { cwd, env }: CommandContext,
): Promise<AsyncDisposable> {
  const folder = state === undefined ? stateFolder(env) : resolve(cwd, state);
  if (url !== undefined || runningConsoles(folder).length > 0)
    return { [Symbol.asyncDispose]: async () => {} };
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  return startConsole({
    stateFolder: folder,
    roots: root.map((each) => resolve(cwd, each)),
    session: { cli: search.found.path },
  });
}
