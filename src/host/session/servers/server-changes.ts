import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import { findInProcess } from '../../mcp/server-object.js';
import { isInProcess, type McpServerMap, mcpServerKind, wireConfig } from '../../mcp/server-option.js';
import type { ControlAnswer } from '../controls/call.js';
import type { CliFacts } from '../endpoints/cli-facts.js';
import { cannotYet, type EndpointSupport, having, patchOr } from '../endpoints/endpoint-table.js';
import { resolveEndpoint, unsupported } from '../endpoints/resolve.js';
import type { McpServers } from './dynamic-servers.js';
import type { SessionServers } from './session-servers.js';

/** The result of a change of servers. */
export interface McpServersChange {
  /** Servers that were added or changed, and are connected. */
  readonly added: readonly string[];
  /** The servers that were removed. */
  readonly removed: readonly string[];
  /** Servers that could not be connected, with the reason; they stay set. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The parts of a change. */
export interface ChangeJob {
  readonly facts: CliFacts;
  readonly servers: SessionServers;
  readonly send: (servers: McpServers) => Promise<ControlAnswer<'mcp_set_servers'>>;
  readonly options: RequestOptions | undefined;
  /** Removes a server from a patched CLI, however it was set. */
  readonly dropPatched: (server: string) => Promise<unknown>;
}

/** Replaces the servers that were set at run time; those given when the session was opened stay. */
export function setServers(wanted: McpServerMap, job: ChangeJob): Promise<McpServersChange> {
  const { dynamic, capabilities, otherHost } = job.facts;
  return dynamic.inTurn(() => {
    checkServers(wanted, job);
    if (otherHost !== undefined) return change({ more: wanted, wanted, send: tell('mcp.set', job) }, job);
    const kept = without(job.servers.keptOn(capabilities), Object.keys(wanted));
    const off = Object.keys(kept).filter((name) => dynamic.isOff(name));
    const rest = without(kept, off);
    const send = (servers: McpServers) => dynamic.replace({ ...rest, ...servers }, job.send, off);
    return change({ more: wanted, wanted, send }, job);
  });
}

/** Adds servers to the existing ones; one with the same name is replaced. */
export function addServers(more: McpServerMap, job: ChangeJob): Promise<McpServersChange> {
  const { dynamic, otherHost } = job.facts;
  return dynamic.inTurn(() => {
    checkServers(more, job);
    const wanted = { ...job.servers.list.added, ...more };
    if (otherHost !== undefined) return change({ more, wanted, send: tell('mcp.add', job) }, job);
    const rest = without(dynamic.current, Object.keys(more));
    const send = (servers: McpServers) => dynamic.swap({ ...rest, ...servers }, job.send);
    return change({ more, wanted, send }, job);
  });
}

/** Lets another host make the change: it knows more servers than we do. */
function tell(method: string, { facts: { otherHost }, options }: ChangeJob): Change['send'] {
  return async (servers) => {
    const answer = await otherHost?.ask(method, { servers }, options);
    return answer as unknown as ControlAnswer<'mcp_set_servers'>;
  };
}

/** Removes a server, including one that the session was opened with if the current CLI supports that. */
export function removeServer(name: string, job: ChangeJob): Promise<McpServersChange> {
  const { facts, servers, send, dropPatched, options } = job;
  const { dynamic, otherHost } = facts;
  return dynamic.inTurn(async () => {
    if (otherHost !== undefined) {
      await otherHost.ask('mcp.remove', { server: name }, options);
      return forget(name, servers);
    }
    const server = servers.list.find(name);
    if (server === undefined) throw notSet(name);
    const way = servers.list.isGiven(name) ? wayToDrop(name, facts) : 'leave-out';
    if (way === 'none') throw unsupported('mcp_set_servers', facts, notDropped(facts), name);
    if (way === 'take-over')
      await dynamic.swap({ ...dynamic.current, [name]: wireConfig(name, server) }, send);
    if (way === 'patched') await dropPatched(name);
    else await dynamic.swap(dynamic.without(name), send);
    dynamic.forget(name);
    return forget(name, servers);
  });
}

async function forget(name: string, { list, bridge }: SessionServers): Promise<McpServersChange> {
  list.drop(name);
  await bridge.remove(name);
  return { added: [], removed: [name], errors: {} };
}

/** Whether {@link removeServer} can remove a server. */
export function removalSupport(name: string, facts: CliFacts): EndpointSupport {
  const { capabilities, servers } = facts;
  if (servers.list.find(name) === undefined) {
    const canDisable = resolveEndpoint('mcp_disable', facts, name).how !== 'no';
    return {
      how: 'no',
      help: `It is defined in a settings file: ${canDisable ? 'disable it with session.mcp.disable()' : 'remove it there'}.`,
      reason: canDisable
        ? 'Servers from settings files can be disabled, but not removed here.'
        : 'Servers from settings files cannot be removed here, only from their file.',
    };
  }
  const way = servers.list.isGiven(name) ? wayToDrop(name, facts) : 'leave-out';
  const reason = cannotYet('mcp_disable', 'Servers that the CLI was started with cannot be removed', {
    capabilities,
    others: having('takesOverServers'),
  });
  if (way === 'none') return { how: 'no', help: notDropped(facts), reason };
  return way === 'patched'
    ? { how: 'patched', by: 'mcp_disable' }
    : resolveEndpoint('mcp_set_servers', facts, name);
}

type WayToDrop = 'leave-out' | 'take-over' | 'patched' | 'none';

/**
 * How to drop a server that was given when the session was opened: one in the set by leaving it out. Of
 * the others, newer CLIs let a set take one over and drop it with the next set; older ones never drop it.
 */
function wayToDrop(name: string, { servers, capabilities }: CliFacts): WayToDrop {
  if (Object.hasOwn(servers.keptOn(capabilities), name)) return 'leave-out';
  if (capabilities.patches.has('mcp_disable')) return 'patched';
  return capabilities.has('takesOverServers') ? 'take-over' : 'none';
}

function notDropped({ capabilities }: CliFacts): string {
  const canAdd = capabilities.fateOf('mcp_set_servers') === 'served';
  const add = canAdd ? ' Add servers that you want to remove later with session.mcp.add().' : '';
  return `It keeps the servers it was started with.${add} ${patchOr('mcp_disable', { capabilities, others: having('takesOverServers') })}`;
}

function checkServers(servers: McpServerMap, { facts, servers: { list } }: ChangeJob): void {
  for (const [name, server] of Object.entries(servers)) {
    if (!mcpServerKind.accepts(server))
      throw new OptionError('mcpServers', `MCP server "${name}" must be ${mcpServerKind.expected}.`);
    // Another host checks that itself.
    if (!list.isGiven(name) || facts.otherHost !== undefined) continue;
    const given = list.find(name);
    const way = wayToDrop(name, facts);
    if (way === 'none' || way === 'patched')
      throw unsupported('mcp_set_servers', facts, way === 'none' ? TWICE : 'Remove it first.', name);
    if (isInProcess(server) && !isInProcess(given))
      throw unsupported('mcp_set_servers', facts, OTHER_KIND, name);
  }
}

const TWICE = `It was set when the session was opened, and the CLI would not replace it. Use another name, or ${having('takesOverServers')}.`;
const OTHER_KIND = 'It cannot replace a server in another process with an in-process one. Remove it first.';

interface Change {
  /** The servers that this change is about. */
  readonly more: McpServerMap;
  /** All servers that should be set at run time afterwards. */
  readonly wanted: McpServerMap;
  /** Sends these servers, together with all others that must be named. */
  readonly send: (servers: McpServers) => Promise<ControlAnswer<'mcp_set_servers'>>;
}

async function change({ more, wanted, send }: Change, job: ChangeJob): Promise<McpServersChange> {
  const { list, bridge } = job.servers;
  const before = list.all;
  const changed = Object.entries(more).filter(([name, server]) => before[name] !== server);
  await clearStale(changed, before, job);
  const objects = changed.flatMap(([name, server]) => {
    const object = findInProcess(server);
    return object === undefined ? [] : [[name, object] as const];
  });
  for (const [name, object] of objects) bridge.add(name, object);
  const wire = Object.entries(more).map(([name, server]) => [name, wireConfig(name, server)]);
  try {
    const answer = await send(Object.fromEntries(wire));
    list.replaceAdded(wanted);
    return await outcome(answer, objects, job.servers);
  } catch (error) {
    for (const [name] of objects) await bridge.remove(name);
    throw error;
  } finally {
    await closeOthers(job.servers);
  }
}

/** A CLI keeps talking to the in-process server that it knows under a name, so that one must be removed first. */
async function clearStale(
  changed: readonly (readonly [string, unknown])[],
  before: McpServerMap,
  { facts: { dynamic, otherHost }, servers, send, options }: ChangeJob,
): Promise<void> {
  const stale = changed.map(([name]) => name).filter((name) => isInProcess(before[name]));
  if (stale.length === 0) return;
  if (otherHost === undefined) await send(without(dynamic.current, stale));
  else for (const server of stale) await otherHost.ask('mcp.remove', { server }, options);
  for (const name of stale) servers.list.drop(name);
}

/** Servers that are no longer wanted are closed. */
async function closeOthers({ list, bridge }: SessionServers): Promise<void> {
  const wanted = list.all;
  const others = bridge.names.filter((name) => !Object.hasOwn(wanted, name));
  await Promise.all(others.map((name) => bridge.remove(name)));
}

/** The CLI's `added` includes servers that failed, and it answers before the handshake with in-process ones. */
async function outcome(
  { added = [], removed = [], errors = {} }: Partial<ControlAnswer<'mcp_set_servers'>>,
  objects: readonly (readonly [string, unknown])[],
  servers: SessionServers,
): Promise<McpServersChange> {
  const waited = objects.map(async ([name]) => [name, await servers.whyNotReady(name)] as const);
  const late = (await Promise.all(waited)).filter(([, why]) => why !== undefined);
  const all: Record<string, string> = { ...errors };
  for (const [name, why] of late) all[name] ??= String(why);
  return { added: added.filter((name) => !Object.hasOwn(all, name)), removed, errors: all };
}

function without(servers: McpServers, names: readonly string[]): McpServers {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => !names.includes(name)));
}

function notSet(name: string): CoxswainError {
  return new CoxswainError(
    'MCP_SERVER_UNKNOWN',
    `This session has no MCP server "${name}". Disable a server from settings files with session.mcp.disable().`,
  );
}
