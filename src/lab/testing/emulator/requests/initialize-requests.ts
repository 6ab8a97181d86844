import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { takePrompts } from '../agent/system-prompt.js';
import { connectServers, newServer, waitForProcesses } from '../asking/emulated-servers.js';
import type { Handler, HostRequest } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { HookMatcher } from '../session-state.js';
import { warmUpAgents } from '../turns/session-messages.js';
import { OF_2_1_326 } from '../versions/traits.js';
import { patchesTold } from './emulated-patches.js';
import { agentList, newModels, oldModels, slashCommands } from './offers.js';

/** Newer versions answer it each time, and initialize in-process servers first. */
export const initialize: Handler = async (request, cli) => {
  const { initialized: again } = cli.state;
  if (again && !cli.traits.servesSecondHandshake) refuseAgain(request, cli);
  else if (register(request, cli)) await welcome(request, cli, again);
  else rejectBody(request, cli, cli.traits.checksHooks ? 'refused' : undefined);
};

async function welcome(request: HostRequest, cli: Cli, again: boolean): Promise<void> {
  const { state, traits } = cli;
  if (traits.greetsAtHandshake) void connectServers(cli);
  // Old versions start the servers first.
  if (!traits.answersBeforeServers) await waitForProcesses(cli);
  const prompts = { pending_permission_requests: cli.openPrompts, pending_user_dialog_requests: [] };
  const lists = again ? traits.listsPromptsAgain : traits.listsPromptsBeside;
  request.succeed({ ...welcomeAnswer(cli, request.body), ...patchesTold(cli) }, lists ? prompts : {});
  if (again && traits.sends('system/background_tasks_changed')) {
    await cli.send(systemMessage('background_tasks_changed', { tasks: [], session_id: state.sessionId }));
  }
  if (!traits.survivesLostReader) void warmUpAgents(cli).catch(() => {});
  if (!again && state.isDeferred) cli.turns.makeDeferred();
}

/** Up to a certain version it is not only refused: listing its prompts crashes the CLI. */
function refuseAgain(request: HostRequest, cli: Cli): void {
  if (cli.traits.listsPromptsAgain) {
    request.refuse('Already initialized', undefined, { pending_permission_requests: cli.openPrompts });
    return;
  }
  cli.stderr('TypeError: the pending requests are no array\n');
  cli.exit({ code: 1 });
}

/** The fate of an invalid body: a refusal, silence, or the end, with or without a message. */
export function rejectBody(request: HostRequest, cli: Cli, fate = cli.traits.badBody): void {
  if (fate === 'refused') request.refuse(`${request.subtype}: the body is not what it should be`);
  if (fate !== 'dies') return;
  const isLoud = !cli.traits.survivesLostReader;
  if (isLoud) cli.stderr('TypeError: undefined is not an object\n');
  cli.exit({ code: isLoud ? 1 : 0 });
}

function register({ body }: HostRequest, { state, traits }: Cli): boolean {
  const hooks = readHooks(body.hooks);
  if (hooks === undefined) return false;
  state.initialized = true;
  state.hooks = hooks;
  state.agents = traits.takesAgents && isObject(body.agents) ? body.agents : {};
  takePrompts(state, traits, body);
  takeServers({ state, traits }, body.sdkMcpServers);
  return true;
}

/** Adds the in-process servers that a host declares. */
export function takeServers({ state, traits }: Pick<Cli, 'state' | 'traits'>, given: unknown): void {
  const names = Array.isArray(given) ? given.filter(isText) : [];
  for (const name of names) {
    const known = state.servers.get(name);
    // Some versions initialize a server again if it is declared twice.
    if (known !== undefined && !traits.greetsOnce) known.handshake = undefined;
    if (known !== undefined) continue;
    state.servers.set(
      name,
      newServer(name, { kind: 'sdk', from: 'initialize', config: { type: 'sdk', name } }),
    );
  }
}

function fiveKeys(models: readonly WireObject[]): WireObject {
  return {
    commands: [{ name: 'compact', description: 'Shortens the conversation', argumentHint: '' }],
    output_style: 'default',
    available_output_styles: ['default', 'Explanatory', 'Learning'],
    models,
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
  };
}

/** The answer to `initialize`. */
export function welcomeAnswer(cli: Cli, body: WireObject): WireObject {
  const { state, traits } = cli;
  const agents = traits.answersWithAgents ? { agents: agentList(cli) } : {};
  if (!traits.tellsAboutItself) return { ...fiveKeys(oldModels), ...agents };
  return {
    ...fiveKeys(newModels),
    commands: slashCommands,
    ...agents,
    user_output_styles_dir: `${state.home}/.claude/output-styles`,
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
    pid: state.pid,
    claude_code_version: traits.version,
    current_permission_mode: state.permissionMode,
    ...(body.hooks === undefined ? {} : { hooks_applied: true }),
    hook_on_failure_supported: true,
    ...answerOf2_1_326(cli, body),
    other_hook_ask_outranks_host: true,
    feedback_mode: { kind: 'disabled' },
    analytics_disabled: true,
    remote_control_auto_enable: false,
    remote_control_auto_connect_default: false,
    remote_control_available: false,
    remote_control_auto_on_by_default: false,
    ide_rc_auto_enable_gate: false,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    session_state: cli.turns.current === undefined ? 'idle' : 'running',
    capabilities: ['ui_surface_v1'],
  };
}

/** Since 2.1.326, servers can come in `initialize` instead of on the command line, if a flag says so. */
function answerOf2_1_326({ state, traits }: Cli, { mcpServers }: WireObject): WireObject {
  if (!traits.hasCapability(OF_2_1_326)) return {};
  const kept = { hooks_when_unanswered_kept: 1 };
  if (!isObject(mcpServers)) return kept;
  if (!state.awaitsInitialize) return { ...kept, mcp_servers_applied: false };
  for (const [name, config] of Object.entries(mcpServers)) {
    if (!isObject(config) || state.servers.has(name)) continue;
    state.servers.set(name, newServer(name, { kind: 'process', from: 'flags', config }));
  }
  return { ...kept, mcp_servers_applied: true };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** How long a hook may take by default. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Reads `hooks` of `initialize`; undefined if an entry is invalid. */
function readHooks(hooks: unknown): Map<string, readonly HookMatcher[]> | undefined {
  if (hooks === undefined || hooks === null) return new Map();
  if (!isObject(hooks)) return undefined;
  const read = new Map<string, readonly HookMatcher[]>();
  for (const [event, entries] of Object.entries(hooks)) {
    const matchers = Array.isArray(entries) ? entries.map(readMatcher) : [undefined];
    if (!matchers.every((matcher) => matcher !== undefined)) return undefined;
    read.set(event, matchers);
  }
  return read;
}

function readMatcher(entry: unknown): HookMatcher | undefined {
  if (!isObject(entry) || !isStringList(entry.hookCallbackIds)) return undefined;
  return {
    matcher: typeof entry.matcher === 'string' ? entry.matcher : undefined,
    callbackIds: entry.hookCallbackIds,
    timeoutMs: typeof entry.timeout === 'number' ? entry.timeout * 1_000 : DEFAULT_TIMEOUT_MS,
    blocksOnFailure: entry.onFailure === 'block',
  };
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
