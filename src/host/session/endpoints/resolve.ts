import { CoxswainError } from '../../../wire/util/errors.js';
import type { CliFacts } from './cli-facts.js';
import { type EndpointName, type EndpointSupport, endpointNames, endpoints } from './endpoint-table.js';

/** Determines how the current CLI supports an endpoint, optionally for one server. */
export function resolveEndpoint(
  name: EndpointName,
  facts: Pick<CliFacts, 'capabilities' | 'dynamic' | 'launched'>,
  server?: string,
): EndpointSupport {
  const { capabilities, dynamic, launched } = facts;
  if (capabilities.patches.has(name)) return patched(name, facts);
  if (server === undefined) return endpoints[name](capabilities, undefined);
  const given = dynamic.has(server) ? 'later' : launched.has(server) ? 'at-launch' : 'elsewhere';
  return endpoints[name](capabilities, given);
}

/** The error for an endpoint that the current CLI does not support. */
export function unsupported(
  name: EndpointName,
  { capabilities }: Pick<CliFacts, 'capabilities'>,
  help: string,
  server?: string,
): CoxswainError {
  const what = server === undefined ? name : `${name} for the MCP server "${server}"`;
  return new CoxswainError(
    'ENDPOINT_UNSUPPORTED',
    `${what} is not supported by ${capabilities.name}. ${help}`,
  );
}

/** Checks a name that comes from a caller. */
export function isEndpointName(name: string): name is EndpointName {
  return endpointNames.some((known) => known === name);
}

/** The patch for background work does less in newer CLIs, which also have requests to reconnect servers. */
function patched(name: EndpointName, { capabilities }: Pick<CliFacts, 'capabilities'>): EndpointSupport {
  const agentsOnly = name === 'agent_run_to_background' && capabilities.fateOf('mcp_toggle') === 'served';
  return { how: 'patched', by: name, ...(agentsOnly ? { note: 'Agents only, no commands.' } : {}) };
}
