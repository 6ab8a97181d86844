import type { Capabilities } from '../../cli/capabilities.js';
import type { McpServers } from './dynamic-servers.js';

/** What decides how a CLI gets the servers of a session. */
export interface ServerWay {
  readonly capabilities: Capabilities;
  /** Whether the host wants them on the command line, or over the wire so that they can be enabled and disabled. */
  readonly serversAtLaunch?: boolean | undefined;
  /** An MCP tool that answers permission prompts is looked up before anything can be set. */
  readonly permissionPromptTool?: string | undefined;
}

/**
 * The names of the servers that are left off the command line and set right after the handshake: old CLIs reconnect
 * and enable or disable a process server only if it was set that way. Some of them then offer only the tools of such a server; on
 * these it goes on the command line if it can at least be reconnected. So do all servers of a CLI of unknown version.
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

/** Whether setting servers over the wire has no advantage. */
function reachesAll(capabilities: Capabilities): boolean {
  const { version, patches } = capabilities;
  if (version === undefined || capabilities.fateOf('mcp_set_servers') !== 'served') return true;
  return capabilities.has('switchesServers') || SWITCHES.every((name) => patches.has(name));
}

/** Patched CLIs reconnect and switch every server, however it was given. */
const SWITCHES = ['mcp_reconnect', 'mcp_disable', 'mcp_enable'];

/** The prefix of its tool names: CLIs replace other characters with `_`. */
function toolPrefix(server: string): string {
  return `mcp__${server.replaceAll(/[^\w-]/g, '_')}__`;
}

function isProcess(config: Readonly<Record<string, unknown>>): boolean {
  return 'command' in config && (config.type === undefined || config.type === 'stdio');
}
