import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call } from '../controls/call.js';
import type { GetFacts } from '../endpoints/cli-facts.js';
import { switchHelp } from '../endpoints/endpoint-table.js';
import { resolveEndpoint, unsupported } from '../endpoints/resolve.js';
import type { McpServers } from './dynamic-servers.js';
import {
  checkServer,
  findRow,
  listRows,
  type McpServerAnswer,
  patchedAnswer,
  refusedRow,
  rowFacts,
  type ServerRequest,
  type StatusRow,
  unknownServer,
} from './mcp-answer.js';

/** The possible changes to one server. */
export type ServerChange = 'mcp_reconnect' | 'mcp_enable' | 'mcp_disable';

/** The parts of a change. */
interface Job extends ServerRequest {
  readonly change: ServerChange;
}

/**
 * Reconnects, disables or enables a server, in the way that the current CLI supports. One change of a server at a
 * time.
 */
export async function changeServer(
  change: ServerChange,
  server: string,
  { call, facts: getFacts, options }: { call: Call; facts: GetFacts; options: RequestOptions | undefined },
): Promise<McpServerAnswer> {
  const facts = await getFacts();
  // There the answer already has this form.
  if (facts.otherHost !== undefined)
    return (await facts.otherHost.ask(METHODS[change], { server }, options)) as unknown as McpServerAnswer;
  return facts.serverQueue.run(server, async () => {
    options?.signal?.throwIfAborted();
    return makeChange({ change, server, call, facts, options });
  });
}

const METHODS: Readonly<Record<ServerChange, string>> = {
  mcp_reconnect: 'mcp.reconnect',
  mcp_enable: 'mcp.enable',
  mcp_disable: 'mcp.disable',
};

async function makeChange(job: Job): Promise<McpServerAnswer> {
  const { change, server, facts } = job;
  const served = resolveEndpoint(change, facts, server);
  if (served.how === 'no') {
    // A missing server is the better reason.
    await checkServer(job);
    throw unsupported(change, facts, served.help ?? '', server);
  }
  if (served.how === 'patched') return changePatched(job);
  return served.by === 'mcp_set_servers'
    ? facts.dynamic.inTurn(() => changeDynamic(job))
    : changeNatively(job, served.how);
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

/** A refusal about an existing server is an answer. */
async function refusedAnswer(error: unknown, job: Job) {
  const { row, reason } = await refusedRow(error, job);
  return { serverName: job.server, ...rowFacts(row), error: reason, success: false };
}

/** Removes the server from the set, and adds it again unless it should stay off. */
async function changeDynamic(job: Job): Promise<McpServerAnswer> {
  const { change, server, call, facts, options } = job;
  const { dynamic } = facts;
  const config = dynamic.configOf(server);
  // It existed when this change was queued, but an earlier change may have removed it.
  if (config === undefined) throw unknownServer(server, await listRows(call, options));
  const send = (servers: McpServers) => call('mcp_set_servers', { servers }, options);
  const outcome = { serverName: server, how: 'equivalent', remembered: false } as const;
  const isOff = dynamic.isOff(server);
  if (change !== 'mcp_enable' && !isOff) await dynamic.swap(dynamic.without(server), send, [server, config]);
  if (change === 'mcp_disable') {
    const left = await findRow(call, server, options);
    const error = left === undefined ? null : `The CLI still lists it as ${left.status}.`;
    const status = left === undefined ? 'disabled' : left.status;
    return {
      ...outcome,
      success: left === undefined,
      status,
      toolsCount: left === undefined ? 0 : null,
      error,
    };
  }
  const { errors = {} } = await dynamic.swap({ ...dynamic.without(server), [server]: config }, send);
  const told = rowFacts(await findRow(call, server, options));
  const error = errors[server] ?? told.error;
  return { ...outcome, ...told, error, success: error === null && told.status === 'connected' };
}

async function changeNatively(job: Job, how: 'native' | 'equivalent'): Promise<McpServerAnswer> {
  const { change, server, call, facts, options } = job;
  const { capabilities } = facts;
  const outcome = { serverName: server, how, remembered: change !== 'mcp_reconnect' };
  // Some CLIs connect a server although it was disabled in the meantime.
  if (change === 'mcp_disable' && !capabilities.has('staysOffWhileConnecting'))
    await settledRow(job, (row) => row?.status === 'pending');
  try {
    if (change === 'mcp_reconnect') await call('mcp_reconnect', { serverName: server }, options);
    else await call('mcp_toggle', { serverName: server, enabled: change === 'mcp_enable' }, options);
  } catch (error) {
    const answer = await refusedAnswer(error, job);
    const fact = change === 'mcp_reconnect' ? 'reconnectsCommandLineServers' : 'switchesServers';
    if (!capabilities.has(fact) && /not found/i.test(answer.error))
      throw unsupported(change, facts, switchHelp(change, capabilities), server);
    return { ...outcome, ...answer };
  }
  const told = rowFacts(await settledRow(job, (row) => isUnderWay(row) && change !== 'mcp_disable'));
  if (told.status === WANTED[change]) return { ...outcome, ...told, success: true };
  return { ...outcome, ...told, success: false, error: told.error ?? notReached(told.status, job) };
}

/** The state that each change leads to. */
const WANTED: Readonly<Record<ServerChange, string>> = {
  mcp_reconnect: 'connected',
  mcp_enable: 'connected',
  mcp_disable: 'disabled',
};

/** An acknowledgement is not proof; the CLI's own list is. */
function notReached(status: string | null, { change, facts: { capabilities } }: Job): string {
  const state = status === null ? 'does not list it' : `still lists it as ${status}`;
  const later =
    change === 'mcp_reconnect'
      ? ''
      : ' It wrote the change to the settings of the folder, for later sessions.';
  return `${capabilities.name} accepted the request, but ${state}: nothing changed in this session.${later}`;
}

/**
 * How long a server may take to connect, and how long to wait between two checks; the CLI reports nothing on its own.
 */
const CONNECT_MS = 30_000;
const LOOK_MS = 100;

/** A server is still connecting, or is not listed yet. */
function isUnderWay(row: StatusRow | undefined): boolean {
  return row === undefined || row.status === 'pending';
}

/** The server as the CLI lists it, once there is nothing left to wait for. */
async function settledRow(
  { server, call, facts, options }: Job,
  waits: (row: StatusRow | undefined) => boolean,
): Promise<StatusRow | undefined> {
  const { clock } = facts;
  const until = clock.now() + (options?.deadlineMs ?? CONNECT_MS);
  for (;;) {
    const row = await findRow(call, server, options);
    if (!waits(row) || clock.now() >= until) return row;
    await new Promise<void>((resolve) => clock.after(Math.min(LOOK_MS, until - clock.now()), resolve));
  }
}
