import type { ProbedVersion } from '../../../wire/protocol/catalog/entries.js';

/** The endpoints that keep one method over all CLI versions. */
export const endpointNames = [
  'interrupt',
  'initialize',
  'set_permission_mode',
  'set_model',
  'set_max_thinking_tokens',
  'mcp_status',
  'mcp_message',
  'mcp_set_servers',
  'rewind_files',
  'agent_run_to_background',
  'get_chrome_status',
  'mcp_reconnect',
  'mcp_tools',
  'mcp_disable',
  'mcp_enable',
] as const;

/** The name of an endpoint that keeps one method over all CLI versions. */
export type EndpointName = (typeof endpointNames)[number];

/** How a CLI serves an endpoint. */
export type How = 'native' | 'equivalent' | 'patched' | 'no';

/** How one CLI version serves an endpoint. */
export interface Served {
  readonly how: How;
  /** What is sent. */
  readonly by?: string;
  /** What to mind. */
  readonly note?: string;
  /** What would help where it is not served. */
  readonly help?: string;
}

const TOOLS_ONLY =
  'A server set this way brings its tools, but neither its resources nor its prompts; `serversAtLaunch` keeps those.';

/** How each probed version serves each endpoint, unpatched. */
export const endpointTable: Readonly<Record<EndpointName, Readonly<Record<ProbedVersion, Served>>>> = {
  interrupt: everywhere('interrupt'),
  initialize: {
    '2.0.73': native('initialize', 'A second one ends it; it is not sent.'),
    '2.1.17': native('initialize', 'A second one is refused.'),
    '2.1.325': native('initialize'),
  },
  set_permission_mode: {
    '2.0.73': native('set_permission_mode', 'It checks nothing: a mode it does not know is not sent.'),
    '2.1.17': native('set_permission_mode', 'It checks nothing: a mode it does not know is not sent.'),
    '2.1.325': native('set_permission_mode'),
  },
  set_model: everywhere('set_model'),
  set_max_thinking_tokens: {
    '2.0.73': native('set_max_thinking_tokens'),
    '2.1.17': native('set_max_thinking_tokens'),
    '2.1.325': native(
      'set_max_thinking_tokens',
      'Acknowledged without effect on models that think adaptively.',
    ),
  },
  mcp_status: everywhere('mcp_status'),
  mcp_message: everywhere('mcp_message'),
  mcp_set_servers: {
    '2.0.73': native(
      'mcp_set_servers',
      `${TOOLS_ONLY} Not for in-process servers: give those when the session is opened.`,
    ),
    '2.1.17': native('mcp_set_servers', TOOLS_ONLY),
    '2.1.325': native('mcp_set_servers'),
  },
  rewind_files: {
    '2.0.73': native('rewind_files', 'No dry run: it would change the files, so it is not sent.'),
    '2.1.17': native('rewind_files'),
    '2.1.325': native('rewind_files'),
  },
  agent_run_to_background: {
    '2.0.73': no('Patch the CLI (`patched: true`), or use CLI 2.1.325 or newer.'),
    '2.1.17': no('Patch the CLI (`patched: true`, for agents only), or use CLI 2.1.325 or newer.'),
    '2.1.325': equivalent('background_tasks', 'Only once the CLI has told of the task, which is waited for.'),
  },
  get_chrome_status: {
    '2.0.73': equivalent('mcp_status', 'Tells only of the MCP server; the rest is null.'),
    '2.1.17': equivalent('mcp_status', 'Tells only of the MCP server; the rest is null.'),
    '2.1.325': equivalent('get_chrome_dialog, mcp_status', 'The version of the extension is null.'),
  },
  mcp_reconnect: {
    '2.0.73': equivalent('mcp_set_servers', dynamicOnly('reconnected')),
    '2.1.17': native('mcp_reconnect', settingsOnly('reconnected')),
    '2.1.325': native('mcp_reconnect', 'In-process servers are refused.'),
  },
  mcp_tools: {
    '2.0.73': no('Patch the CLI (`patched: true`), or use CLI 2.1.325 or newer.'),
    '2.1.17': no('Patch the CLI (`patched: true`), or use CLI 2.1.325 or newer.'),
    '2.1.325': equivalent('mcp_status', 'Names and annotations; no descriptions, no schemas.'),
  },
  mcp_disable: {
    '2.0.73': equivalent('mcp_set_servers', dynamicOnly('switched off')),
    '2.1.17': equivalent(
      'mcp_toggle',
      `${settingsOnly('switched off')} The former only from the next session on.`,
    ),
    '2.1.325': equivalent('mcp_toggle', remembered()),
  },
  mcp_enable: {
    '2.0.73': equivalent('mcp_set_servers', dynamicOnly('switched on')),
    '2.1.17': equivalent('mcp_toggle', settingsOnly('switched on')),
    '2.1.325': equivalent('mcp_toggle', remembered()),
  },
};

function native(by: string, note?: string): Served {
  return { how: 'native', by, ...(note === undefined ? {} : { note }) };
}

function everywhere(by: string): Readonly<Record<ProbedVersion, Served>> {
  return { '2.0.73': native(by), '2.1.17': native(by), '2.1.325': native(by) };
}

function equivalent(by: string, note: string): Served {
  return { how: 'equivalent', by, note };
}

function no(help: string): Served {
  return { how: 'no', help };
}

function dynamicOnly(done: string): string {
  return `Only servers with a command, given in \`mcpServers\` (without \`serversAtLaunch\`) or by \`session.mcp.add()\`, can be ${done}.`;
}

function settingsOnly(done: string): string {
  return `Servers from settings files, and by mcp_set_servers those with a command, given in \`mcpServers\` (without \`serversAtLaunch\`) or by \`session.mcp.add()\`, can be ${done}.`;
}

function remembered(): string {
  return 'The CLI writes it to the user settings of the folder: it outlives the session.';
}
