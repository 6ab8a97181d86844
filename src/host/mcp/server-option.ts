import type { HostRequestParams } from '../../wire/protocol/catalog/types.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { McpServerConfig } from '../../wire/protocol/mcp-server-config.js';
import { nearestName } from '../../wire/util/nearest-name.js';
import { kind, type OptionFault, type OptionKind } from '../../wire/util/option-checks.js';
import { findInProcess, type InProcessServer, isServerObject } from './server-object.js';

/** The MCP servers of a session by name: configurations, and servers that run in this process. */
export type McpServerMap = Readonly<Record<string, McpServerConfig | InProcessServer>>;

type WireConfig = HostRequestParams<'mcp_set_servers'>['servers'][string];

/** The kind of a server in `mcpServers`. */
export const mcpServerKind: OptionKind = kind(
  'a server configuration, a server made with mcpServer(), an object with connect(transport), or a function that makes one',
  (value) => findInProcess(value) !== undefined || (isConfig(value) && configFault(value) === undefined),
  (value) => (isConfig(value) ? configFault(value) : undefined),
);

/** What a configuration lacks that every CLI requires; the CLI checks the rest. */
function configFault(config: WireObject): OptionFault | undefined {
  if (config.command !== undefined || config.url !== undefined || config.type !== undefined) return undefined;
  const names = Object.keys(config).map((name) => ({
    name,
    near: nearestName(name, ['command', 'url', 'type']),
  }));
  const meant = names.find(({ near }) => near !== undefined);
  return meant === undefined
    ? { path: '', problem: 'it needs "command" or "url"' }
    : { path: `.${meant.name}`, problem: `no such key; did you mean ${meant.near}?` };
}

/** How a server is passed to the CLI. Every CLI needs the `name` of an in-process server; some exit without it. */
export function wireConfig(name: string, server: unknown): WireConfig {
  const { instance: _instance, ...config } = isConfig(server) ? server : {};
  if (isInProcess(server)) return { ...config, type: 'sdk', name };
  // In mcp_set_servers, newer CLIs refuse a command without `args`.
  const args = 'command' in config && config.args === undefined ? { args: [] } : {};
  // The CLI checks its form: newer ones may know kinds that we do not.
  return { ...config, ...args } as WireConfig;
}

/** Whether the host serves it: with a server object, or with the caller's own handler of `mcp_message`. */
export function isInProcess(server: unknown): boolean {
  return findInProcess(server) !== undefined || (isObject(server) && server.type === 'sdk');
}

function isConfig(value: unknown): value is WireObject {
  return isObject(value) && !isServerObject(value);
}
