import type { WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { connectServers } from '../asking/emulated-servers.js';
import type { Handler, Handlers, HostRequest } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { ServerState } from '../session-state.js';
import { taskHandlers } from './session-requests.js';

/** The additional requests that a patched copy serves; undefined for any other. */
export function patchedHandler({ body, subtype }: HostRequest): Handler | undefined {
  if (!Object.hasOwn(patchedHandlers, subtype)) return undefined;
  // Native CLIs spell the server differently in the request of the same name.
  return subtype === 'mcp_reconnect' && typeof body.server_name !== 'string'
    ? undefined
    : patchedHandlers[subtype];
}

const patchedHandlers: Handlers = {
  agent_run_to_background: async (request, cli) => {
    const { target_id: target } = request.body;
    const found = [...cli.state.tasks.values()].filter(
      ({ id, toolUseId, status }) =>
        status === 'running' && (target === undefined || id === target || toolUseId === target),
    );
    for (const { id } of found) await tellMoved(cli, id);
    request.succeed({ backgrounded: found.length > 0, agent_ids: found.map(({ id }) => id) });
  },
  stop_task: (request, cli) => taskHandlers.stop_task?.(request, cli),
  get_chrome_status: (request, { state }) => {
    const status = state.servers.get('claude-in-chrome')?.status ?? null;
    const connected = status === 'connected';
    const told = { installed: false, enabled: false, connected, mcpServerStatus: status };
    request.succeed({ ...told, extensionVersion: null });
  },
  mcp_reconnect: about((server, request, cli) => {
    if (server.kind === 'sdk') {
      request.refuse(`In-process servers live in the host: ${server.name} cannot be reconnected from here`);
      return;
    }
    connect(server, cli);
    request.succeed(report(server));
  }),
  mcp_tools: (request, { state }) => {
    const { server_name: wanted = null } = request.body;
    const servers = [...state.servers.values()].filter(({ name }) => wanted === null || name === wanted);
    if (wanted !== null && servers.length === 0) request.refuse(`Server not found: ${wanted}`);
    else {
      const tools = servers.flatMap(({ name, tools: own }) =>
        own.map((tool) => ({ ...tool, server_name: name })),
      );
      request.succeed({ server_name: wanted, tools, count: tools.length });
    }
  },
  mcp_disable: about((server, request, { state }) => {
    if (request.body.remove === true) state.servers.delete(server.name);
    server.status = 'disabled';
    request.succeed({ ...report(server), success: true, status: 'disabled', tools_count: 0, error: null });
  }),
  mcp_enable: about((server, request, cli) => {
    if (server.status === 'disabled') connect(server, cli);
    request.succeed(report(server));
  }),
};

/** A handler for the server that a request names. */
function about(act: (server: ServerState, request: HostRequest, cli: Cli) => void): Handler {
  return (request, cli) => {
    const { server_name: name } = request.body;
    const server = cli.state.servers.get(String(name));
    if (server === undefined) request.refuse(`Server not found: ${name}`);
    else act(server, request, cli);
  };
}

function connect(server: ServerState, cli: Cli): void {
  server.status = 'connected';
  if (server.kind === 'sdk') void connectServers(cli);
}

function report({ name, status, tools, error }: ServerState): WireObject {
  const success = status === 'connected';
  return {
    success,
    server_name: name,
    status,
    tools_count: tools.length,
    error: success ? null : (error ?? 'Connection failed'),
  };
}

async function tellMoved(cli: Cli, id: string): Promise<void> {
  if (!cli.traits.sends('system/task_updated')) return;
  const session = { session_id: cli.state.sessionId };
  await cli.send(
    systemMessage('task_updated', { task_id: id, patch: { is_backgrounded: true }, ...session }),
  );
}
