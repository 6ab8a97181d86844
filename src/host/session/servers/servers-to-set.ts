import type { Capabilities } from '../../cli/capabilities.js';
import type { McpServers } from './dynamic-servers.js';

/** What decides how the servers of a session reach a CLI. */
export interface ServerWay {
  readonly capabilities: Capabilities;
  /** Whether the host wants them on the command line, or over the wire where they can then be switched. */
  readonly serversAtLaunch?: boolean | undefined;
  /** An MCP tool that answers permission prompts is looked up before anything can be set. */
  readonly permissionPromptTool?: string | undefined;
}

/**
 * The names of the servers that are left out of the command line and set right after the handshake: old CLIs reconnect
 * and switch a process server only if it was set that way. Some of them offer only the tools of such a server; there it
 * goes on the command line if it can at least be reconnected. So does everything for a CLI of unknown version.
 */
export function serversToSet(
  servers: McpServers,
  { capabilities, serversAtLaunch, permissionPromptTool = '' }: ServerWay,
): readonly string[] {
  if (serversAtLaunch === true || reachesAll(capabilities)) return [];
  const keepsResources =
    capabilities.has('setsServersWithResources') || !capabilities.has('reconnectsCommandLineServers');
  if (serversAtLaunch === undefined && !keepsResources) return [];
  return Object.entries(servers).flatMap(([name, config]) =>
    isProcess(config) && !permissionPromptTool.startsWith(toolPrefix(name)) ? [name] : [],
  );
}

/** Whether servers gain nothing by being set over the wire. */
function reachesAll(capabilities: Capabilities): boolean {
  const { version, patches } = capabilities;
  if (version === undefined || capabilities.fateOf('mcp_set_servers') !== 'served') return true;
  return capabilities.has('switchesServers') || SWITCHES.every((name) => patches.has(name));
}

/** Patched CLIs reconnect and switch every server, however it was given. */
const SWITCHES = ['mcp_reconnect', 'mcp_disable', 'mcp_enable'];

/** What the names of its tools begin with: CLIs write other characters as `_`. */
function toolPrefix(server: string): string {
  return `mcp__${server.replaceAll(/[^\w-]/g, '_')}__`;
}

function isProcess(config: Readonly<Record<string, unknown>>): boolean {
  return 'command' in config && (config.type === undefined || config.type === 'stdio');
}
