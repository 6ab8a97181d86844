import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import type { CoxswainError } from '../../../wire/util/errors.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from '../endpoints/cli-facts.js';
import { switchHelp } from '../endpoints/endpoint-table.js';
import { resolveEndpoint, unsupported } from '../endpoints/resolve.js';
import type { McpServers } from './dynamic-servers.js';
import {
  findRow,
  listRows,
  type McpServerAnswer,
  patchedAnswer,
  rowFacts,
  unknownServer,
} from './mcp-answer.js';

/** What can be done to one server. */
export type ServerChange = 'mcp_reconnect' | 'mcp_enable' | 'mcp_disable';

/** What a change is made with. */
interface Job {
  readonly change: ServerChange;
  readonly server: string;
  readonly call: Call;
  readonly facts: CliFacts;
  readonly options: RequestOptions | undefined;
}

/** Reconnects a server, or switches it off or on, the way that the CLI at hand can. */
export async function changeServer(
  change: ServerChange,
  server: string,
  { call, facts: getFacts, options }: { call: Call; facts: GetFacts; options: RequestOptions | undefined },
): Promise<McpServerAnswer> {
  const facts = await getFacts();
  const job: Job = { change, server, call, facts, options };
  const served = resolveEndpoint(change, facts, server);
  if (served.how === 'no') throw await refusal(job, served.help ?? '');
  if (served.how === 'patched') return changePatched(job);
  return served.by === 'mcp_set_servers'
    ? facts.dynamic.inTurn(() => changeDynamic(job))
    : changeNatively(job, served.how);
}

/** A server that is not there is the better reason. */
async function refusal({ change, server, call, facts, options }: Job, help: string): Promise<CoxswainError> {
  const rows = await listRows(call, options);
  const isThere = rows.some(({ name }) => name === server) || facts.servers.list.find(server) !== undefined;
  return isThere ? unsupported(change, facts, help, server) : unknownServer(server, rows);
}

async function changePatched(job: Job): Promise<McpServerAnswer> {
  const { change, server, call, options } = job;
  try {
    const names = { server_name: server, serverName: server };
    return patchedAnswer(await call(change, names, options), server);
  } catch (error) {
    return { ...(await refusedAnswer(error, job)), how: 'patched', remembered: false };
  }
}

/** A refusal about a server that the CLI lists is an answer; about one that it does not know, its own reason is thrown. */
async function refusedAnswer(error: unknown, { server, call, options }: Job) {
  const row = error instanceof RefusedError ? await findRow(call, server, options) : undefined;
  if (!(error instanceof RefusedError) || row === undefined) throw error;
  return { serverName: server, ...rowFacts(row), error: error.reason, success: false, derived: false };
}

/** Takes the server out of the set, and puts it back unless it is to stay off. */
async function changeDynamic(job: Job): Promise<McpServerAnswer> {
  const { change, server, call, facts, options } = job;
  const { dynamic } = facts;
  const config = dynamic.configOf(server);
  // It was there when its turn was asked for, but another change has come first.
  if (config === undefined) throw unknownServer(server, await listRows(call, options));
  const send = (servers: McpServers) => call('mcp_set_servers', { servers }, options);
  const outcome = { serverName: server, how: 'equivalent', remembered: false } as const;
  const isOff = dynamic.isOff(server);
  if (change !== 'mcp_enable' && !isOff) await dynamic.swap(dynamic.without(server), send, [server, config]);
  if (change === 'mcp_disable') {
    return { ...outcome, success: true, status: 'disabled', toolsCount: 0, error: null, derived: true };
  }
  const { errors = {} } = await dynamic.swap({ ...dynamic.without(server), [server]: config }, send);
  const told = rowFacts(await findRow(call, server, options));
  const error = errors[server] ?? told.error;
  return {
    ...outcome,
    ...told,
    error,
    success: error === null && told.status === 'connected',
    derived: false,
  };
}

async function changeNatively(job: Job, how: 'native' | 'equivalent'): Promise<McpServerAnswer> {
  const { change, server, call, facts, options } = job;
  const { capabilities } = facts;
  const outcome = { serverName: server, how, remembered: change !== 'mcp_reconnect' };
  try {
    if (change === 'mcp_reconnect') await call('mcp_reconnect', { serverName: server }, options);
    else await call('mcp_toggle', { serverName: server, enabled: change === 'mcp_enable' }, options);
  } catch (error) {
    const answer = await refusedAnswer(error, job);
    const fact = change === 'mcp_reconnect' ? 'reconnectsCommandLineServers' : 'switchesServers';
    if (!capabilities.has(fact) && /not found/i.test(answer.error))
      throw unsupported(change, facts, switchHelp(capabilities, fact), server);
    return { ...outcome, ...answer };
  }
  const told = rowFacts(await findRow(call, server, options));
  // Old CLIs connect a server that they have switched off again at the next call of one of its tools.
  if (change === 'mcp_disable' && !capabilities.has('switchesServers'))
    return { ...outcome, ...told, success: false, error: onlyLater(facts), derived: false };
  if (capabilities.has('reconnectsCommandLineServers'))
    return { ...outcome, ...told, success: isReached(change, told.status), derived: false };
  // Its list does not show the change; but it acknowledges only a connection that it has made.
  return { ...outcome, success: true, status: 'connected', toolsCount: null, error: null, derived: true };
}

function onlyLater({ capabilities }: CliFacts): string {
  return `CLI ${capabilities.version} has noted it in the settings of the folder, but switches the server off only from the next session on.`;
}

/**
 * Whether the state is the one that was asked for. A server that still connects is on its way to it, and so is one that
 * is not listed: in-process servers are left out of the list until they have been greeted.
 */
function isReached(change: ServerChange, status: string | null): boolean {
  if (change === 'mcp_disable') return status === 'disabled';
  return status === 'connected' || status === 'pending' || status === null;
}
