import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Call } from '../controls/call.js';
import { findRow } from '../servers/mcp-answer.js';
import type { GetFacts } from './cli-facts.js';
import { type EndpointSupport, endpointNames } from './endpoint-table.js';
import { isEndpointName, resolveEndpoint } from './resolve.js';

/** For whom an endpoint is looked up. */
export interface SupportOptions extends RequestOptions {
  /** The MCP server that it is about. */
  readonly server?: string | undefined;
}

/** Says how the CLI at hand serves an endpoint; asks it about a server, never does anything. */
export async function findSupport(
  name: string,
  {
    call,
    facts: getFacts,
    options: { server, ...options },
  }: { call: Call; facts: GetFacts; options: SupportOptions },
): Promise<EndpointSupport> {
  if (!isEndpointName(name)) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `"${name}" is no endpoint; there are ${endpointNames.join(', ')}.`,
    );
  }
  const facts = await getFacts();
  if (name === 'mcp_tools' && server !== undefined && facts.ownTools(server) !== undefined)
    return { how: 'equivalent', by: 'the in-process server', note: 'It is asked directly.' };
  const served = resolveEndpoint(name, facts, server);
  if (server === undefined || facts.dynamic.isOff(server)) return served;
  const row = await findRow(call, server, options);
  // A server that is not there is the better reason.
  if (row === undefined && facts.servers.list.find(server) === undefined)
    return { how: 'no', help: `The CLI lists no MCP server "${server}".` };
  const inProcess = row?.transport === 'sdk' || facts.ownTools(server) !== undefined;
  return name === 'mcp_reconnect' && inProcess
    ? { how: 'no', help: 'In-process servers live in the host: there is no connection to make anew.' }
    : served;
}
