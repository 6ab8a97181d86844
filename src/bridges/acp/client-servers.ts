import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerMap } from '../../host/mcp/server-option.js';
import { misuse } from './failures.js';

/** The MCP servers of a client, as the CLI accepts them. */
export function clientServers(servers: readonly McpServer[] = []): McpServerMap {
  const named: [string, McpServerMap[string]][] = servers.map((server) => [server.name, configOf(server)]);
  const names = named.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw misuse(`Two MCP servers have the name ${twice}.`);
  return Object.fromEntries(named);
}

function configOf(server: McpServer): McpServerMap[string] {
  if ('url' in server) return { type: server.type, url: server.url, headers: pairs(server.headers) };
  return { command: server.command, args: server.args, env: pairs(server.env) };
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
