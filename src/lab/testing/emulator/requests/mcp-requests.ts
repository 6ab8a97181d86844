import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import {
  callMcpServer,
  connectServers,
  listTools,
  newServer,
  stopServer,
  waitForProcesses,
} from '../asking/emulated-servers.js';
import type { Handler, Handlers, HostRequest } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { ServerState } from '../session-state.js';
import { rejectBody } from './initialize-requests.js';

/** Names and states; newer versions also report transport, scope, source, configuration and tools. */
const mcpStatus: Handler = (request, cli) => {
  const servers = [...cli.state.servers.values()].filter(
    // An in-process server that is not ready is missing.
    ({ kind, status }) => kind !== 'sdk' || status !== 'pending',
  );
  request.succeed({ mcpServers: servers.map((server) => rowOf(server, cli)) });
};

function rowOf(server: ServerState, { traits }: Cli): WireObject {
  if (traits.listsServerTools) return server.kind === 'sdk' ? sdkRow(server) : processRow(server);
  const { name, status, kind, serverInfo, error } = server;
  return {
    name,
    status,
    ...(kind === 'sdk' || serverInfo === undefined ? {} : { serverInfo }),
    ...(error === undefined || kind === 'sdk' || !traits.survivesLostReader ? {} : { error }),
  };
}

function sdkRow(server: ServerState): WireObject {
  return {
    ...shared(server),
    transport: 'sdk',
    scope: server.status === 'failed' ? 'user' : 'dynamic',
    source: 'sdk',
    ...(server.status === 'connected' ? { tools: toolNames(server) } : {}),
  };
}

function processRow(server: ServerState): WireObject {
  const { config, error, status } = server;
  return {
    ...shared(server),
    ...(error === undefined ? {} : { error }),
    config: { type: 'stdio', ...config },
    transport: config.type ?? 'stdio',
    scope: 'dynamic',
    source: 'dynamic',
    ...(status === 'connected' ? { tools: toolNames(server) } : {}),
  };
}

function shared({ name, status, serverInfo }: ServerState): WireObject {
  return { name, status, ...(serverInfo === undefined || status === 'disabled' ? {} : { serverInfo }) };
}

const mcpSetServers: Handler = async (request, cli) => {
  const { servers } = request.body;
  if (!isObject(servers)) {
    rejectBody(request, cli);
    return;
  }
  const changed = replaceServers(cli, servers);
  if (!cli.traits.setsInProcessServers) failInProcess(cli);
  const connected = connectServers(cli);
  await waitForProcesses(cli);
  request.succeed({ ...changed, errors: errorsOf(cli) });
  await connected;
};

/** Old versions cannot connect an in-process server that a request declares. */
function failInProcess({ state }: Cli): void {
  for (const server of state.servers.values()) {
    if (server.from !== 'request' || (server.kind !== 'sdk' && server.status !== 'failed')) continue;
    server.status = 'failed';
    server.error = undefined;
    server.handshake = Promise.resolve();
  }
}

/** A plain ack; in-process servers cannot be reconnected. */
const mcpReconnect: Handler = async (request, cli) => {
  const server = switchable(request, cli);
  if (server === undefined) return;
  if (server.kind === 'sdk') request.refuse('SDK servers should be handled in print.ts');
  else {
    stopServer(server);
    server.status = 'pending';
    void connectServers(cli);
    await waitForProcesses(cli);
    request.succeed();
  }
};

/** A plain ack; an in-process server repeats the handshake when it is enabled. */
const mcpToggle: Handler = (request, cli) => {
  const { enabled } = request.body;
  const { traits } = cli;
  const server = switchable(request, cli);
  if (server === undefined) return;
  if (typeof enabled !== 'boolean' && traits.togglesInProcessServers) {
    request.refuse('mcp_toggle: enabled must be a boolean');
    return;
  }
  if (server.kind === 'sdk' && !traits.togglesInProcessServers) {
    request.refuse(`Server not found: ${server.name}`);
    return;
  }
  request.succeed();
  if (!traits.reconnectsGivenServers) return;
  const stops = server.status === 'pending' ? traits.stopsConnectingServers : traits.stopsSwitchedServers;
  server.status = enabled ? 'pending' : 'disabled';
  // Some only report it: the server's tools keep working.
  if (!enabled && server.kind === 'process' && !stops) return;
  stopServer(server);
  if (enabled) void connectServers(cli);
};

/** The server that a request names, or undefined after a refusal. Old versions find only those in settings files. */
function switchable(request: HostRequest, cli: Cli): ServerState | undefined {
  const { serverName } = request.body;
  const server = named(request.body, cli);
  if (typeof serverName !== 'string' && cli.traits.togglesInProcessServers) {
    request.refuse(`${request.subtype}: serverName must be a string`);
    return undefined;
  }
  const isFound = cli.traits.reconnectsGivenServers || server?.from === 'settings';
  if (server !== undefined && isFound) return server;
  request.refuse(`Server not found: ${serverName}`);
  return undefined;
}

/** Calls to tools and resources without the model; refused for in-process servers. */
const mcpCall: Handler = async (request, cli) => {
  const { state } = cli;
  const { tool, arguments: input } = request.body;
  if (typeof tool !== 'string') {
    request.refuse('mcp_call: tool must be a string');
    return;
  }
  const [, name = tool, called = ''] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  const server = state.servers.get(name);
  await server?.handshake;
  if (server?.status !== 'connected') request.refuse(`MCP server not connected: ${name}`);
  else if (server.kind === 'sdk') request.refuse('mcp_call does not support SDK MCP servers.');
  else
    await relay(request, cli, {
      name,
      method: 'tools/call',
      params: { name: called, arguments: input ?? {} },
    });
};

/** Passes a request to a process server, and its answer back; a server that is only assumed to exist does not answer. */
async function relay(
  request: HostRequest,
  cli: Cli,
  { name, method, params }: { readonly name: string; readonly method: string; readonly params: WireObject },
): Promise<void> {
  if (cli.state.servers.get(name)?.process === undefined) {
    request.succeed(method === 'tools/call' ? { content: [{ type: 'text', text: '' }] } : { contents: [] });
    return;
  }
  const id = cli.state.nextRpcId++;
  const answer = await callMcpServer(cli, name, { jsonrpc: '2.0', id, method, params });
  const { result, error } = isObject(answer) ? answer : {};
  if (isObject(result)) request.succeed(result);
  else request.refuse(isObject(error) ? String(error.message) : 'no valid answer');
}

const mcpReadResource: Handler = async (request, cli) => {
  const server = named(request.body, cli);
  const { uri } = request.body;
  if (!String(request.body.uri).startsWith('ui://'))
    request.refuse('mcp_read_resource: uri must use the ui:// scheme');
  else if (server === undefined) request.refuse(`Server not found: ${request.body.serverName}`);
  else if (server.kind === 'sdk') request.refuse('mcp_read_resource does not support SDK MCP servers.');
  else await relay(request, cli, { name: server.name, method: 'resources/read', params: { uri } });
};

/** An unknown name is accepted with a warning. */
const mcpModeOverride: Handler = (request, cli) => {
  if (named(request.body, cli) !== undefined) request.succeed();
  else
    request.succeed({
      warning: `MCP server '${request.body.serverName}' is not yet known; the override is stored.`,
    });
};

/** The ack comes immediately; the answer to the server's request comes as a separate message. */
const mcpMessage: Handler = (request, cli) => {
  request.succeed();
  const { server_name: name, message } = request.body;
  if (typeof name !== 'string' || !cli.state.servers.has(name) || !isObject(message)) return;
  if (message.method === 'notifications/tools/list_changed' && cli.traits.heedsListChanges)
    void listTools(cli, name);
  if (message.id === undefined || message.method === undefined) return;
  const answer =
    message.method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
  const reply = { jsonrpc: '2.0', id: message.id, ...answer };
  void cli.ask({ subtype: 'mcp_message', server_name: name, message: reply }).catch(() => {});
};

function errorsOf({ state }: Cli): WireObject {
  const failed = [...state.servers.values()].filter(
    ({ from, status }) => from === 'request' && status === 'failed',
  );
  return Object.fromEntries(failed.map(({ name, error }) => [name, error ?? 'Connection failed']));
}

function replaceServers({ state, traits }: Cli, servers: WireObject): { added: string[]; removed: string[] } {
  const isReplaced = ({ from, kind }: ServerState) =>
    from === 'request' || (kind === 'sdk' && !traits.keepsGivenServers);
  const removed = [...state.servers.values()]
    .filter((server) => isReplaced(server) && !Object.hasOwn(servers, server.name))
    .map(({ name }) => name);
  const isTaken = (name: string) => traits.setsTakeOverServers && state.servers.get(name)?.from === 'flags';
  const added = Object.keys(servers).filter((name) => !state.servers.has(name) || isTaken(name));
  for (const name of [...removed, ...added]) {
    const server = state.servers.get(name);
    if (server !== undefined) stopServer(server);
    state.servers.delete(name);
  }
  for (const name of added) {
    const config = isObject(servers[name]) ? servers[name] : {};
    const kind = config.type === 'sdk' ? 'sdk' : 'process';
    const server = newServer(name, { kind, from: 'request', config });
    state.servers.set(name, traits.detailed ? withoutArguments(server) : server);
  }
  return { added, removed };
}

/** Newer versions fail to start a program whose configuration has no argument list. */
function withoutArguments(server: ServerState): ServerState {
  const { command, args } = server.config;
  if (typeof command !== 'string' || Array.isArray(args)) return server;
  return { ...server, status: 'failed', error: 'args is not iterable', handshake: Promise.resolve() };
}

/** A tool's description of itself, in the format of this answer. */
function hintsOf(annotations: unknown): WireObject {
  const { readOnlyHint, destructiveHint, openWorldHint } = isObject(annotations) ? annotations : {};
  return {
    ...(readOnlyHint === true ? { readOnly: true } : {}),
    ...(destructiveHint === true ? { destructive: true } : {}),
    ...(openWorldHint === true ? { openWorld: true } : {}),
  };
}

function toolNames({ tools }: ServerState): readonly WireObject[] {
  return tools.map(({ name, annotations }) => ({ name, annotations: hintsOf(annotations) }));
}

function named(body: WireObject, { state }: Cli): ServerState | undefined {
  return typeof body.serverName === 'string' ? state.servers.get(body.serverName) : undefined;
}

/** Requests about MCP servers. */
export const mcpHandlers: Handlers = {
  mcp_status: mcpStatus,
  mcp_message: mcpMessage,
  mcp_set_servers: mcpSetServers,
  mcp_reconnect: mcpReconnect,
  mcp_toggle: mcpToggle,
  mcp_call: mcpCall,
  mcp_read_resource: mcpReadResource,
  set_mcp_permission_mode_override: mcpModeOverride,
};
