import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { connectServers, newServer } from '../asking/emulated-servers.js';
import type { HostRequest } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { HookMatcher } from '../session-state.js';
import { warmUpAgents } from '../turns/session-messages.js';
import { agentList, newModels, oldModels, slashCommands } from './offers.js';
import type { Handler } from './request-handler.js';

/** 2.0.73: five keys; a second one ends the process on Node 20; broken hooks too. */
export const initialize2073: Handler = (request, cli) => {
  if (cli.state.initialized) {
    cli.stderr('TypeError: the pending requests are no array\n');
    cli.exit({ code: 1 });
    return;
  }
  if (!register(request, cli)) {
    cli.stderr('TypeError: hookCallbackIds is missing\n');
    cli.exit({ code: 1 });
    return;
  }
  request.succeed(fiveKeys(oldModels));
  void warmUpAgents(cli).catch(() => {});
};

/** 2.1.17: five keys; a second one is refused; broken hooks end the process without a word and with code 0. */
export const initialize2117: Handler = (request, cli) => {
  if (cli.state.initialized) {
    request.refuse('Already initialized', undefined, { pending_permission_requests: cli.openPrompts });
    return;
  }
  if (!register(request, cli)) {
    cli.exit({ code: 0 });
    return;
  }
  request.succeed(fiveKeys(oldModels));
};

/** 2.1.325: many keys, pending prompts beside them, as often as it is asked; in-process servers are greeted first. */
export const initialize21325: Handler = async (request, cli) => {
  const again = cli.state.initialized;
  if (!register(request, cli)) {
    request.refuse('initialize: hooks must be lists of matchers with hookCallbackIds, by event');
    return;
  }
  void connectServers(cli);
  request.succeed(manyKeys(cli, request.body), {
    pending_permission_requests: cli.openPrompts,
    pending_user_dialog_requests: [],
  });
  if (again)
    await cli.send(systemMessage('background_tasks_changed', { tasks: [], session_id: cli.state.sessionId }));
};

function register({ body }: HostRequest, { state }: Cli): boolean {
  const hooks = readHooks(body.hooks);
  if (hooks === undefined) return false;
  state.initialized = true;
  state.hooks = hooks;
  state.agents = isObject(body.agents) ? body.agents : {};
  const names = Array.isArray(body.sdkMcpServers) ? body.sdkMcpServers.filter(isText) : [];
  for (const name of names) {
    if (state.servers.has(name)) continue;
    state.servers.set(
      name,
      newServer(name, { kind: 'sdk', from: 'initialize', config: { type: 'sdk', name } }),
    );
  }
  return true;
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

function manyKeys(cli: Cli, body: WireObject): WireObject {
  const { state, traits } = cli;
  return {
    ...fiveKeys(newModels),
    commands: slashCommands,
    agents: agentList(cli),
    user_output_styles_dir: `${state.home}/.claude/output-styles`,
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
    pid: state.pid,
    claude_code_version: traits.version,
    current_permission_mode: state.permissionMode,
    ...(body.hooks === undefined ? {} : { hooks_applied: true }),
    hook_on_failure_supported: true,
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

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** How long a hook may take unless it says otherwise. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Reads `hooks` of `initialize`; undefined when an entry is broken. */
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
