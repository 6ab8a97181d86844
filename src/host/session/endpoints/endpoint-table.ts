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
    isSent('background_tasks', capabilities)
      ? equivalent('background_tasks', 'Works once the CLI has reported the task; the method waits for that.')
      : noneYet('agent_run_to_background', 'Running work cannot be moved to the background', {
          capabilities,
          others: serving('background_tasks'),
        }),
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
    if (capabilities.version === undefined && given !== 'later') return native('mcp_reconnect', UNSURE);
    return switched('mcp_reconnect', { request: 'mcp_reconnect', capabilities, given });
  },
  mcp_tools: (capabilities) =>
    capabilities.has('listsToolsInStatus') || capabilities.version === undefined
      ? equivalent('mcp_status', 'Names and annotations; no descriptions, no schemas.')
      : noneYet('mcp_tools', 'The tools of a server cannot be listed', {
          capabilities,
          others: having('listsToolsInStatus'),
        }),
  // Other CLIs would write it down for later sessions, and their model could still call the server's tools. Servers that the
  // session itself has set are removed from its set on every CLI: only that survives a reopen and ends with the session.
  mcp_disable: (capabilities, given) =>
    capabilities.has('switchesServers') && given !== 'later'
      ? toggled
      : switched('mcp_disable', { request: undefined, capabilities, given }),
  mcp_enable: (capabilities, given) => {
    if (capabilities.has('switchesServers') && given !== 'later') return toggled;
    const served = switched('mcp_enable', { request: 'mcp_toggle', capabilities, given });
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

/** What each change does to a server, and the fact of CLIs that do it to every one. */
const switches = {
  mcp_reconnect: { done: 'reconnected', fact: 'reconnectsCommandLineServers' },
  mcp_disable: { done: 'disabled', fact: 'switchesServers' },
  mcp_enable: { done: 'enabled', fact: 'switchesServers' },
} as const satisfies Partial<Record<EndpointName, { readonly done: string; readonly fact: Fact }>>;

type SwitchName = keyof typeof switches;

interface Switching {
  /** The request that some CLIs have for servers from settings files. */
  readonly request: string | undefined;
  readonly capabilities: Capabilities;
  readonly given: Given | undefined;
}

/**
 * How CLIs reconnect and switch servers if they cannot do so for command-line servers: servers set over the wire are
 * removed from the set and added again, and some CLIs have a request for servers from settings files.
 */
function switched(name: SwitchName, switching: Switching): EndpointSupport {
  const { request, capabilities, given } = switching;
  const { done } = switches[name];
  const isServed = request !== undefined && isSent(request, capabilities);
  if (given === 'later') return equivalent('mcp_set_servers', SESSION_ONLY);
  if (isServed && capabilities.version === undefined) return equivalent(request, UNSURE);
  if (given === 'at-launch' || (given === 'elsewhere' && !isServed)) return notSwitched(name, switching);
  if (isServed) {
    const how = request === 'mcp_reconnect' ? native : equivalent;
    return how(request, `Works for servers from settings files; through mcp_set_servers, ${those(done)}`);
  }
  return isSent('mcp_set_servers', capabilities)
    ? equivalent('mcp_set_servers', `Only ${those(done)}`)
    : noneYet(name, `Servers cannot be ${done}`, { capabilities, others: serving('mcp_set_servers') });
}

function notSwitched(name: SwitchName, { request, capabilities, given }: Switching): EndpointSupport {
  const { done, fact } = switches[name];
  const isFromSettings = given === 'elsewhere';
  const which = isFromSettings ? 'Servers from settings files' : 'Servers that the CLI was started with';
  const others = isFromSettings && request !== undefined ? serving(request) : having(fact);
  const reason = cannotYet(name, `${which} cannot be ${done}`, { capabilities, others });
  return no(switchHelp(name, capabilities, others), reason);
}

function those(done: string): string {
  return `servers with a command that are set after the start (\`serversAtLaunch: false\`, \`session.mcp.add()\`) can be ${done}.`;
}

/** What would help with a server that the current CLI cannot reconnect or switch. */
export function switchHelp(
  name: SwitchName,
  capabilities: Capabilities,
  others = having(switches[name].fact),
): string {
  const help = patchOr(name, { capabilities, others });
  if (capabilities.version === undefined)
    return `Some CLIs would accept it without effect. If you know the version, set \`version\` on the transport. ${help}`;
  if (capabilities.fateOf('mcp_set_servers') !== 'served') return help;
  const settings =
    name === 'mcp_reconnect' && capabilities.fateOf('mcp_reconnect') === 'served'
      ? 'servers from settings files, and with '
      : '';
  return `It can do this only with ${settings}servers that have a command and are set after the start: in mcpServers with serversAtLaunch: false, or with session.mcp.add(). Set it that way. ${help}`;
}

/** Who else can do what a CLI cannot. */
export interface Others {
  readonly capabilities: Capabilities;
  readonly others: string;
}

/** What to do if the patch for a request may help. */
export function patchOr(request: string, { capabilities, others }: Others): string {
  return capabilities.canBePatchedFor(request)
    ? `Patch the CLI (\`patched: true\`), or use ${others}.`
    : `Use ${others}.`;
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
  const fate = capabilities.fateOf(subtype);
  if (fate === 'served') return native(subtype, note);
  if (fate === 'unknown') return native(subtype, note === undefined ? UNSURE : `${UNSURE} ${note}`);
  const which = serving(subtype);
  return no(`Use ${which}.`, cannot('Not supported', capabilities, which));
}

/** A CLI of unknown version is asked; if it does not know the request, it refuses or stays silent until the deadline. */
function isSent(subtype: string, capabilities: Capabilities): boolean {
  return ['served', 'unknown'].includes(capabilities.fateOf(subtype));
}

const UNSURE = 'The version of the CLI is unknown, so it may refuse the request or not answer.';

function native(by: string, note?: string): EndpointSupport {
  return { how: 'native', by, ...(note === undefined ? {} : { note }) };
}

function equivalent(by: string, note: string): EndpointSupport {
  return { how: 'equivalent', by, note };
}

function no(help: string, reason: string): EndpointSupport {
  return { how: 'no', help, reason };
}

function noneYet(request: string, what: string, others: Others): EndpointSupport {
  return no(patchOr(request, others), cannotYet(request, what, others));
}

/** Why something is not possible, if the patch for a request may help. */
export function cannotYet(request: string, what: string, { capabilities, others }: Others): string {
  const or = capabilities.canBePatchedFor(request) ? ', or a patched copy of this CLI' : '';
  return cannot(what, capabilities, `${others}${or}`);
}

/** Why something is not possible, for users who did not choose the CLI. */
export function cannot(what: string, { name }: Capabilities, others: string): string {
  return `${what} with ${name}; it needs ${others}.`;
}
