import { CoxswainError } from '../../../wire/util/errors.js';
import { treatedAs } from '../../core/connection/cli-version.js';
import type { CliFacts } from './cli-facts.js';
import { type EndpointName, endpointNames, endpointTable, type Served } from './endpoint-table.js';

/** Picks how the CLI at hand serves an endpoint, for one server where that makes a difference. */
export function resolveEndpoint(
  name: EndpointName,
  facts: Pick<CliFacts, 'version' | 'patched' | 'dynamic' | 'launched'>,
  server?: string,
): Served {
  const probed = treatedAs(facts.version);
  if (facts.patched.has(name)) return { how: 'patched', by: name, ...PATCHED_NOTES[probed]?.[name] };
  const served = endpointTable[name][probed];
  if (server === undefined || probed === '2.1.325' || !BY_SERVER.has(name)) return served;
  if (facts.dynamic.has(server)) return { how: 'equivalent', by: 'mcp_set_servers', note: SESSION_ONLY };
  if (probed === '2.0.73' || facts.launched.has(server)) return { how: 'no', help: HELP[probed] };
  return served;
}

/** The error for an endpoint that the CLI at hand does not serve. */
export function unsupported(
  name: EndpointName,
  { version }: Pick<CliFacts, 'version'>,
  help: string,
  server?: string,
): CoxswainError {
  const cli = version === undefined ? 'this CLI, whose version is not known' : `CLI ${version}`;
  const what = server === undefined ? name : `${name} for the MCP server "${server}"`;
  return new CoxswainError('ENDPOINT_UNSUPPORTED', `${what} is not served by ${cli}. ${help}`);
}

/** Checks a name that came from outside. */
export function isEndpointName(name: string): name is EndpointName {
  return endpointNames.some((known) => known === name);
}

/** What to mind where a patch does less than on 2.0.73. */
const PATCHED_NOTES: Readonly<Record<string, Partial<Record<EndpointName, Pick<Served, 'note'>>>>> = {
  '2.1.17': { agent_run_to_background: { note: 'Agents only, no commands.' } },
};

const BY_SERVER: ReadonlySet<EndpointName> = new Set(['mcp_reconnect', 'mcp_disable', 'mcp_enable']);
const SESSION_ONLY =
  'It is taken out of the set of servers and put back; nothing of it outlives the session.';
const HELP = {
  '2.0.73':
    'It can do this only with servers that have a command and are set after the start: in mcpServers without serversAtLaunch, or by session.mcp.add(). Give it that way, patch the CLI (`patched: true`), or use CLI 2.1.325 or newer.',
  '2.1.17':
    'It can do this only with servers from settings files, and with those that have a command and are set after the start: in mcpServers without serversAtLaunch, or by session.mcp.add(). Give it that way, patch the CLI (`patched: true`), or use CLI 2.1.325 or newer.',
} as const;

/** What helps when 2.1.17 does not find a server that it lists. */
export const HELP_2_1_17 = HELP['2.1.17'];
