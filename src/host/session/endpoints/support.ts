import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { type HostRequestName, hostRequests } from '../../../wire/protocol/catalog/catalog.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isInProcess } from '../../mcp/server-option.js';
import type { Call, ControlAnswer } from '../controls/call.js';
import { listRows, type StatusRow } from '../servers/mcp-answer.js';
import { removalSupport } from '../servers/server-changes.js';
import type { CliFacts, GetFacts } from './cli-facts.js';
import { type EndpointName, type EndpointSupport, endpointNames, ifServed } from './endpoint-table.js';
import { isEndpointName, resolveEndpoint } from './resolve.js';

/** Options of a support lookup. */
export interface SupportOptions extends RequestOptions {
  /** The MCP server to check. */
  readonly server?: string | undefined;
}

/** What can be looked up: an endpoint, or any other request to the CLI. */
export type SupportName = EndpointName | HostRequestName;

/** Returns how the current CLI supports an endpoint; may ask it about a server, but changes nothing. */
export async function findSupport(
  name: string,
  {
    call,
    facts: getFacts,
    options: { server, ...options },
  }: { call: Call; facts: GetFacts; options: SupportOptions },
): Promise<EndpointSupport> {
  const facts = await getFacts();
  if (!isEndpointName(name)) {
    if (Object.hasOwn(hostRequests, name)) return ifServed(name, facts.capabilities);
    const message = `"${name}" is neither a request nor an endpoint; known are ${endpointNames.join(', ')}.`;
    throw new CoxswainError('OPTION_INVALID', message);
  }
  if (server === undefined) return resolveEndpoint(name, facts);
  if (facts.otherHost !== undefined && !isAskedHere(name, server, facts))
    return (await facts.otherHost.ask('supports', { name, server }, options)) as unknown as EndpointSupport;
  return supportFor(name, server, facts, facts.dynamic.isOff(server) ? [] : await listRows(call, options));
}

/** The same for one server, from the CLI's list of servers. */
function supportFor(
  name: EndpointName,
  server: string,
  facts: CliFacts,
  rows: readonly StatusRow[],
): EndpointSupport {
  if (isAskedHere(name, server, facts)) return ASKED_HERE;
  const row = rows.find((each) => each.name === server);
  const isKnown = row !== undefined || facts.servers.list.find(server) !== undefined;
  // A missing server is the better reason.
  if (!isKnown && !facts.dynamic.isOff(server)) {
    const help = `The CLI lists no MCP server "${server}".`;
    return { how: 'no', help, reason: help };
  }
  if (name === 'mcp_set_servers') return removalSupport(server, facts);
  const isOwn = row?.transport === 'sdk' || isInProcess(facts.servers.list.find(server));
  if (name === 'mcp_reconnect' && isOwn) return IN_PROCESS;
  return resolveEndpoint(name, facts, server);
}

/** An in-process server lists its tools itself. */
function isAskedHere(name: EndpointName, server: string, { servers }: CliFacts): boolean {
  return name === 'mcp_tools' && servers.bridge.names.includes(server);
}

const ASKED_HERE: EndpointSupport = {
  how: 'equivalent',
  by: 'the in-process server',
  note: 'The request is sent directly.',
};

const IN_PROCESS: EndpointSupport = {
  how: 'no',
  help: 'In-process servers run in the host: there is no connection to restore.',
  reason: 'This server runs in the program that opened the session: there is no connection to restore.',
};

/** The actions on one server; `mcp_set_servers` stands for removing it. */
export type ServerEndpoint = 'mcp_tools' | 'mcp_reconnect' | 'mcp_enable' | 'mcp_disable' | 'mcp_set_servers';

/** A server as the CLI lists it, with the possible actions. */
export interface McpServerView extends StatusRow {
  /** How the CLI supports each request about this server. */
  readonly supports: Readonly<Record<ServerEndpoint, EndpointSupport>>;
}

function isToldRow(row: StatusRow): row is McpServerView {
  return isObject((row as WireObject).supports);
}

/** Adds the possible actions to each row. */
export function withSupport(rows: readonly StatusRow[], facts: CliFacts): readonly McpServerView[] {
  return rows.map((row) => {
    // Another host has sent it with the row.
    const told: Readonly<Record<string, EndpointSupport>> = isToldRow(row) ? row.supports : {};
    const find = (name: ServerEndpoint) =>
      (isAskedHere(name, row.name, facts) ? ASKED_HERE : told[name]) ??
      supportFor(name, row.name, facts, rows);
    const supports = {
      mcp_tools: find('mcp_tools'),
      mcp_reconnect: find('mcp_reconnect'),
      mcp_enable: find('mcp_enable'),
      mcp_disable: find('mcp_disable'),
      mcp_set_servers: find('mcp_set_servers'),
    };
    return { ...row, supports };
  });
}

/** Rows as a CLI lists them, without additions of another host. */
export function withoutSupport(answer: ControlAnswer<'mcp_status'>): ControlAnswer<'mcp_status'> {
  const mcpServers = answer.mcpServers.map((row) => {
    const { supports: _supports, ...listed }: StatusRow & { supports?: unknown } = row;
    return listed;
  });
  return { ...answer, mcpServers };
}
