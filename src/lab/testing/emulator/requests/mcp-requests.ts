import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { connectServers, listTools, newServer } from '../asking/emulated-servers.js';
import type { Cli } from '../cli.js';
import type { ServerState } from '../session-state.js';
import type { Handler } from './request-handler.js';

/** Up to 2.1.17: names and states; an in-process server that is not through is missing. */
export const mcpStatusOld: Handler = (request, { state, traits }) => {
  const servers = settled(state.servers.values()).map(({ name, status, kind, serverInfo, error }) => ({
    name,
    status,
    ...(kind === 'sdk' || serverInfo === undefined ? {} : { serverInfo }),
    ...(error === undefined || kind === 'sdk' || traits.version === '2.0.73' ? {} : { error }),
  }));
  request.succeed({ mcpServers: servers });
};

/** 2.1.325: also transport, scope, source, configuration and tools. */
export const mcpStatusNew: Handler = (request, { state }) => {
  const servers = settled(state.servers.values());
  request.succeed({
    mcpServers: servers.map((server) => (server.kind === 'sdk' ? sdkRow(server) : processRow(server))),
  });
};

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

/** What becomes of a list of servers that is no list: 2.0.73 dies loudly, 2.1.17 silently. */
export const mcpSetServers2073: Handler = (request, cli) => {
  if (!isObject(request.body.servers)) {
    cli.stderr('TypeError: servers is undefined\n');
    cli.exit({ code: 1 });
    return;
  }
  const { added, removed } = replaceServers(cli, request.body.servers);
  const errors: Record<string, string> = {};
  for (const server of cli.state.servers.values()) {
    if (server.from !== 'request' || (server.kind !== 'sdk' && server.status !== 'failed')) continue;
    server.status = 'failed';
    errors[server.name] = 'Connection failed';
  }
  request.succeed({ added, removed, errors });
};

/** 2.1.17. */
export const mcpSetServers2117: Handler = (request, cli) => {
  if (!isObject(request.body.servers)) {
    cli.exit({ code: 0 });
    return;
  }
  request.succeed({ ...replaceServers(cli, request.body.servers), errors: errorsOf(cli) });
  void connectServers(cli);
};

/** 2.1.325. */
export const mcpSetServers21325: Handler = (request, cli) => {
  if (!isObject(request.body.servers)) {
    request.refuse('mcp_set_servers: servers must be an object of config objects');
    return;
  }
  request.succeed({ ...replaceServers(cli, request.body.servers), errors: errorsOf(cli) });
  void connectServers(cli);
};

/** 2.1.17: finds only servers of settings files, and their status stays what it was. */
export const mcpReconnect2117: Handler = (request, cli) => {
  if (named(request.body, cli)?.from === 'settings') request.succeed();
  else request.refuse(`Server not found: ${request.body.serverName}`);
};

/** 2.1.325: a plain ack; in-process servers cannot be reconnected. */
export const mcpReconnect21325: Handler = (request, cli) => {
  const server = named(request.body, cli);
  if (typeof request.body.serverName !== 'string') {
    request.refuse('mcp_reconnect: serverName must be a string');
  } else if (server === undefined) request.refuse(`Server not found: ${request.body.serverName}`);
  else if (server.kind === 'sdk') request.refuse('SDK servers should be handled in print.ts');
  else {
    server.status = 'connected';
    request.succeed();
  }
};

/** 2.1.325: a plain ack; an in-process server shakes hands anew when it is enabled. */
export const mcpToggle21325: Handler = (request, cli) => {
  const server = named(request.body, cli);
  if (typeof request.body.serverName !== 'string') {
    request.refuse('mcp_toggle: serverName must be a string');
    return;
  }
  if (typeof request.body.enabled !== 'boolean') {
    request.refuse('mcp_toggle: enabled must be a boolean');
    return;
  }
  if (server === undefined) {
    request.refuse(`Server not found: ${request.body.serverName}`);
    return;
  }
  const { enabled } = request.body;
  server.status = enabled ? (server.kind === 'sdk' ? 'pending' : 'connected') : 'disabled';
  server.handshake = undefined;
  request.succeed();
  if (enabled) void connectServers(cli);
};

/** 2.1.325: calls of tools and resources without the model; in-process servers are refused. */
export const mcpCall: Handler = (request, { state }) => {
  const { tool } = request.body;
  if (typeof tool !== 'string') {
    request.refuse('mcp_call: tool must be a string');
    return;
  }
  const name = /^mcp__(.+?)__/.exec(tool)?.[1] ?? tool;
  const server = state.servers.get(name);
  if (server?.status !== 'connected') request.refuse(`MCP server not connected: ${name}`);
  else if (server.kind === 'sdk') request.refuse('mcp_call does not support SDK MCP servers.');
  else request.succeed({ content: [{ type: 'text', text: '' }] });
};

/** 2.1.325. */
export const mcpReadResource: Handler = (request, cli) => {
  const server = named(request.body, cli);
  if (!String(request.body.uri).startsWith('ui://'))
    request.refuse('mcp_read_resource: uri must use the ui:// scheme');
  else if (server === undefined) request.refuse(`Server not found: ${request.body.serverName}`);
  else if (server.kind === 'sdk') request.refuse('mcp_read_resource does not support SDK MCP servers.');
  else request.succeed({ contents: [] });
};

/** 2.1.325: a name that is not known is taken with a warning. */
export const mcpModeOverride: Handler = (request, cli) => {
  if (named(request.body, cli) !== undefined) request.succeed();
  else
    request.succeed({
      warning: `MCP server '${request.body.serverName}' is not yet known; the override is stored.`,
    });
};

/** All versions: the ack comes at once; the answer to a request of the server comes as a message of its own. */
export const mcpMessage: Handler = (request, cli) => {
  request.succeed();
  const { server_name: name, message } = request.body;
  if (typeof name !== 'string' || !cli.state.servers.has(name) || !isObject(message)) return;
  if (message.method === 'notifications/tools/list_changed' && cli.traits.detailed) void listTools(cli, name);
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
    from === 'request' || (kind === 'sdk' && traits.replacesGivenServers);
  const removed = [...state.servers.values()]
    .filter((server) => isReplaced(server) && !Object.hasOwn(servers, server.name))
    .map(({ name }) => name);
  const added = Object.keys(servers).filter((name) => !state.servers.has(name));
  for (const name of removed) state.servers.delete(name);
  for (const name of added) {
    const config = isObject(servers[name]) ? servers[name] : {};
    const kind = config.type === 'sdk' ? 'sdk' : 'process';
    const server = newServer(name, { kind, from: 'request', config });
    state.servers.set(name, traits.detailed ? withoutArguments(server) : server);
  }
  return { added, removed };
}

/** 2.1.325 fails to start a program whose configuration has no list of arguments. */
function withoutArguments(server: ServerState): ServerState {
  const { command, args } = server.config;
  if (typeof command !== 'string' || Array.isArray(args)) return server;
  return { ...server, status: 'failed', serverInfo: undefined, error: 'args is not iterable' };
}

function toolNames({ tools }: ServerState): readonly WireObject[] {
  return tools.map(({ name, annotations = {} }) => ({ name, annotations }));
}

function settled(servers: Iterable<ServerState>): readonly ServerState[] {
  return [...servers].filter(({ kind, status }) => kind !== 'sdk' || status !== 'pending');
}

function named(body: WireObject, { state }: Cli): ServerState | undefined {
  return typeof body.serverName === 'string' ? state.servers.get(body.serverName) : undefined;
}
