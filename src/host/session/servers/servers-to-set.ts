import { nearestProbedVersion } from '../../../wire/protocol/catalog/catalog.js';
import type { McpServers } from './dynamic-servers.js';

/** What decides how the servers of a session reach a CLI. */
export interface ServerWay {
  /** The CLI's version, where it is known before the servers are told. */
  readonly version: string | undefined;
  /** The requests that patches have added to it. */
  readonly patched?: ReadonlySet<string> | undefined;
  /** Whether the host wants them on the command line whatever the CLI. */
  readonly serversAtLaunch?: boolean | undefined;
  /** An MCP tool that answers permission prompts is looked up before anything can be set. */
  readonly permissionPromptTool?: string | undefined;
}

/**
 * The names of the servers that are left out of the command line and set right after the handshake. CLIs before
 * 2.1.325 reconnect and switch a process server only if it was set that way. A CLI of unknown version, or older than
 * all probed ones, gets everything on the command line, which every CLI understands.
 */
export function serversToSet(
  servers: McpServers,
  { version, patched, serversAtLaunch, permissionPromptTool = '' }: ServerWay,
): readonly string[] {
  const probed = version === undefined ? undefined : nearestProbedVersion(version);
  const reachesAll = probed === undefined || probed === '2.1.325' || isSwitchedByPatches(patched);
  if (serversAtLaunch === true || reachesAll) return [];
  return Object.entries(servers).flatMap(([name, config]) =>
    isProcess(config) && !permissionPromptTool.startsWith(toolPrefix(name)) ? [name] : [],
  );
}

const SWITCHES = ['mcp_reconnect', 'mcp_disable', 'mcp_enable'];

/** Patched CLIs reconnect and switch every server, however it was given. */
function isSwitchedByPatches(patched: ReadonlySet<string> = new Set()): boolean {
  return SWITCHES.every((name) => patched.has(name));
}

/** What the names of its tools begin with: CLIs write other characters as `_`. */
function toolPrefix(server: string): string {
  return `mcp__${server.replaceAll(/[^\w-]/g, '_')}__`;
}

function isProcess(config: Readonly<Record<string, unknown>>): boolean {
  return 'command' in config && (config.type === undefined || config.type === 'stdio');
}
