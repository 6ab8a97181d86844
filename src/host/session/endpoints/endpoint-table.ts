import type { Capabilities } from '../../cli/capabilities.js';
import { type Fact, spanOf, spanOfRequest } from '../../cli/known-facts.js';

/** The endpoints that have the same method on all CLI versions. */
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

/** The name of an endpoint that has the same method on all CLI versions. */
export type EndpointName = (typeof endpointNames)[number];

/** The ways in which a CLI can support an endpoint. */
export type SupportKind = 'native' | 'equivalent' | 'patched' | 'no';

/** How a CLI supports an endpoint. */
export interface EndpointSupport {
  /** In which way the CLI supports it. */
  readonly how: SupportKind;
  /** The request that is sent. */
  readonly by?: string;
  /** Caveats. */
  readonly note?: string;
  /** If it is not supported: what would help, for the developer of the program. */
  readonly help?: string;
  /** If it is not supported: why, for the user of the program. */
  readonly reason?: string;
  /** True if the CLI writes it to the user settings of the folder, so it still applies after the session. */
  readonly outlives?: boolean;
}

/** How a server was set: on the command line, over the wire, or neither (settings files). */
export type Given = 'at-launch' | 'later' | 'elsewhere';

/** Returns how an unpatched CLI supports an endpoint, optionally for a server that was set in a given way. */
type Resolve = (capabilities: Capabilities, given?: Given) => EndpointSupport;

/** How unpatched CLIs support each endpoint. */
export const endpoints: Readonly<Record<EndpointName, Resolve>> = {
  interrupt: asked('interrupt'),
  initialize: (capabilities) =>
    native(
      'initialize',
      capabilities.has('takesSecondInitialize')
        ? undefined
        : capabilities.has('survivesSecondInitialize')
          ? 'A second one is refused.'
          : 'A second one would end the CLI, so it is not sent.',
    ),
  set_permission_mode: (capabilities) =>
    native(
      'set_permission_mode',
      capabilities.has('checksModes')
        ? undefined
        : 'The CLI does not validate the mode, so unknown modes are not sent.',
    ),
  set_model: asked('set_model'),
  set_max_thinking_tokens: asked(
    'set_max_thinking_tokens',
    'It has no effect on models with adaptive thinking.',
  ),
  mcp_status: asked('mcp_status'),
  mcp_message: asked('mcp_message'),
  mcp_set_servers: (capabilities) => ifServed('mcp_set_servers', capabilities, setNote(capabilities)),
  rewind_files: (capabilities) =>
    ifServed(
      'rewind_files',
      capabilities,
      capabilities.has('dryRunIsHarmless')
        ? undefined
        : 'No dry run: the CLI would change the files, so it is not sent.',
    ),
  agent_run_to_background: (capabilities) =>
    capabilities.fateOf('background_tasks') === 'served'
      ? equivalent('background_tasks', 'Works once the CLI has reported the task; the method waits for that.')
      : no(
          patchOr(capabilities, serving('background_tasks')),
          cannot('Running work cannot be moved to the background', capabilities, serving('background_tasks')),
        ),
  get_chrome_status: (capabilities) =>
    capabilities.fateOf('get_chrome_dialog') === 'served'
      ? equivalent('get_chrome_dialog, mcp_status', 'The version of the extension is read from its folder.')
      : equivalent(
          'mcp_status',
          'Reports the MCP server, and the extension’s version from its folder; the rest is null.',
        ),
  mcp_reconnect: (capabilities, given) => {
    const isNative =
      capabilities.has('switchesServers') ||
      (capabilities.has('reconnectsCommandLineServers') && given !== 'later');
    if (isNative) return native('mcp_reconnect', 'In-process servers are refused.');
    return switched('mcp_reconnect', 'reconnectsCommandLineServers', {
      capabilities,
      given,
      done: 'reconnected',
    });
  },
  mcp_tools: (capabilities) =>
    capabilities.has('listsToolsInStatus')
      ? equivalent('mcp_status', 'Names and annotations; no descriptions, no schemas.')
      : no(
          patchOr(capabilities, having('listsToolsInStatus')),
          cannot('The tools of a server cannot be listed', capabilities, having('listsToolsInStatus')),
        ),
  // Other CLIs would write it down for later sessions, and their model could still call the server's tools. Servers that the
  // session itself has set are removed from its set on every CLI: only that survives a reopen and ends with the session.
  mcp_disable: (capabilities, given) =>
    capabilities.has('switchesServers') && given !== 'later'
      ? toggled
      : switched(undefined, 'switchesServers', { capabilities, given, done: 'disabled' }),
  mcp_enable: (capabilities, given) => {
    if (capabilities.has('switchesServers') && given !== 'later') return toggled;
    const served = switched('mcp_toggle', 'switchesServers', { capabilities, given, done: 'enabled' });
    return served.by === 'mcp_toggle' ? { ...served, outlives: true } : served;
  },
};

const toggled: EndpointSupport = {
  how: 'equivalent',
  by: 'mcp_toggle',
  note: "The CLI saves it in the user's settings for the folder, so it outlives the session.",
  outlives: true,
};
const SESSION_ONLY =
  'The server is removed from the set of servers and added again; nothing outlives the session.';
const TOOLS_ONLY =
  'A server set this way has its tools, but neither its resources nor its prompts; `serversAtLaunch` keeps those.';
const NOT_IN_PROCESS = 'Not for in-process servers: set those when you open the session.';

function setNote(capabilities: Capabilities): string | undefined {
  const notes = [
    ...(capabilities.has('setsServersWithResources') ? [] : [TOOLS_ONLY]),
    ...(capabilities.has('connectsInProcessServersLater') ? [] : [NOT_IN_PROCESS]),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

interface Switching {
  readonly capabilities: Capabilities;
  readonly given: Given | undefined;
  readonly done: string;
}

/**
 * How CLIs reconnect and switch servers if they cannot do so for command-line servers: servers set over the wire are
 * removed from the set and added again, and some CLIs have a request for servers from settings files.
 */
function switched(
  request: string | undefined,
  fact: Fact,
  { capabilities, given, done }: Switching,
): EndpointSupport {
  const isServed = request !== undefined && capabilities.fateOf(request) === 'served';
  const canSet = capabilities.fateOf('mcp_set_servers') === 'served';
  if (given === 'later') return equivalent('mcp_set_servers', SESSION_ONLY);
  if (given === 'at-launch' || (given === 'elsewhere' && !isServed)) {
    const which =
      given === 'at-launch' ? 'Servers that the CLI was started with' : 'Servers from settings files';
    const reason = cannot(`${which} cannot be ${done}`, capabilities, having(fact));
    return no(switchHelp(capabilities, fact), reason);
  }
  if (isServed) {
    const how = request === 'mcp_reconnect' ? native : equivalent;
    return how(request, `Works for servers from settings files; through mcp_set_servers, ${those(done)}`);
  }
  return canSet
    ? equivalent('mcp_set_servers', `Only ${those(done)}`)
    : no(
        `Use ${serving('mcp_set_servers')}.`,
        cannot(`Servers cannot be ${done}`, capabilities, serving('mcp_set_servers')),
      );
}

function those(done: string): string {
  return `servers with a command that are set after the start (\`serversAtLaunch: false\`, \`session.mcp.add()\`) can be ${done}.`;
}

/** What would help with a server that the current CLI cannot reconnect or switch. */
export function switchHelp(capabilities: Capabilities, fact: Fact): string {
  const settings =
    fact === 'reconnectsCommandLineServers' && capabilities.fateOf('mcp_reconnect') === 'served'
      ? 'servers from settings files, and with '
      : '';
  return `It can do this only with ${settings}servers that have a command and are set after the start: in mcpServers with serversAtLaunch: false, or with session.mcp.add(). Set it that way. ${patchOr(capabilities, having(fact))}`;
}

/** What to do if a patch would help, unless the CLI is already patched and the patch did not fit. */
function patchOr(capabilities: Capabilities, others: string): string {
  return capabilities.patches.size > 0
    ? `Use ${others}.`
    : `Patch the CLI (\`patched: true\`), or use ${others}.`;
}

/** Describes the CLIs that have a fact. */
export function having(fact: Fact): string {
  return spanOf(fact).inWords ?? 'another CLI';
}

function serving(subtype: string): string {
  return spanOfRequest(subtype).inWords ?? 'another CLI';
}

function asked(subtype: string, note?: string): Resolve {
  return (capabilities) => ifServed(subtype, capabilities, note);
}

/** How a CLI supports a request that has the same name on all CLIs. */
export function ifServed(subtype: string, capabilities: Capabilities, note?: string): EndpointSupport {
  if (capabilities.fateOf(subtype) === 'served') return native(subtype, note);
  const which = serving(subtype);
  return no(`Use ${which}.`, cannot('Not supported', capabilities, which));
}

function native(by: string, note?: string): EndpointSupport {
  return { how: 'native', by, ...(note === undefined ? {} : { note }) };
}

function equivalent(by: string, note: string): EndpointSupport {
  return { how: 'equivalent', by, note };
}

function no(help: string, reason: string): EndpointSupport {
  return { how: 'no', help, reason };
}

/** Why something is not possible, for users who did not choose the CLI. */
export function cannot(what: string, { name }: Capabilities, others: string): string {
  return `${what} with ${name}; it needs ${others}.`;
}
