import type { OpenParams, ProgramParams } from '../../../entry/remote/contract.js';
import {
  cliOptionSpecs,
  launchOptionSpecs,
  withoutStart,
} from '../../../host/cli/options/cli-option-table.js';
import { initializeOptionSpecs } from '../../../host/cli/options/initialize-options.js';
import { optionsOf } from '../../../host/cli/options/passing.js';
import type { Hooks } from '../../../host/session/hooks/hook-types.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { declaredHooks, type OwnerRequests } from './owner-requests.js';
import { withThinkingCap } from './session-settings.js';

/** Only the server may set which program runs, and in which environment. */
const SERVERS_OWN: ReadonlySet<string> = new Set(optionsOf(launchOptionSpecs, 'remotely', 'refused'));

const PROGRAMS_OWN: ReadonlySet<string> = new Set(optionsOf(launchOptionSpecs, 'remotely', 'ignored'));

/** How to start the CLI of a session: as a page wants it, or as a program asks. */
function cliOptions(opened: OpenParams, owner: OwnerRequests | undefined): SessionOptions {
  const { cwd, model, permissionMode, effort, chrome, resume, forkSession, program } = opened;
  const given = program === undefined ? PAGE : programOptions(program, owner);
  const named = {
    model,
    // If the mode or the effort is unknown to us, the CLI decides.
    permissionMode: permissionMode as SessionOptions['permissionMode'],
    effort: effort as SessionOptions['effort'],
    chrome,
    resume,
    forkSession,
    onMissing: resume === undefined || owner !== undefined ? undefined : ('fresh' as const),
  };
  const asked = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...given, ...asked, cwd };
}

/** Always passed: otherwise the CLI would use the mode of a settings file, which may be one that never asks. */
const ASKS = { permissionMode: 'default' } as const;

/** All launch options for a session's CLI: the server's, and the requested ones. */
export function launchOptions(
  base: SessionOptions,
  opened: OpenParams,
  owner: OwnerRequests | undefined,
): SessionOptions {
  const given = { ...ASKS, ...withServers(base, cliOptions(opened, owner)) };
  return withThinkingCap(given, opened.maxThinkingTokens);
}

/**
 * Requested options override the console's options for every session. Servers are merged; if two have the
 * same name, the requested one wins.
 */
function withServers(base: SessionOptions, asked: SessionOptions): SessionOptions {
  const mcpServers = { ...base.mcpServers, ...asked.mcpServers };
  return { ...base, ...asked, ...(Object.keys(mcpServers).length === 0 ? {} : { mcpServers }) };
}

/** A page shows partial messages, rewinds files and answers prompts, also about what auto mode denies. */
const PAGE_SHOWS = { partialMessages: true, enableFileCheckpointing: true };
const PAGE: SessionOptions = { ...PAGE_SHOWS, prompts: 'manual', askWhenDenied: true };

function programOptions(
  { options, initialize }: ProgramParams,
  owner: OwnerRequests | undefined,
): SessionOptions {
  const { subtype: _subtype, hooks, sdkMcpServers: _servers, jsonSchema: _schema, ...said } = initialize;
  // Both become options of the server's own session, which accepts more than a program may choose.
  const refused =
    Object.keys(options).find((name) => SERVERS_OWN.has(name) || !Object.hasOwn(cliOptionSpecs, name)) ??
    Object.keys(said).find((name) => !Object.hasOwn(initializeOptionSpecs, name));
  if (refused !== undefined) {
    const message = `Option "${refused}" cannot be set for a remote session: the server decides it.`;
    throw new CoxswainError('OPTION_INVALID', message);
  }
  if (typeof options.settings === 'string') {
    const message =
      'Option "settings" must be an object for a remote session: a path would refer to the server.';
    throw new CoxswainError('OPTION_INVALID', message);
  }
  const kept = Object.entries(options).filter(([name]) => !PROGRAMS_OWN.has(name));
  // They are validated with all other options before a CLI starts.
  return {
    ...(Object.fromEntries(kept) as SessionOptions),
    ...(said as SessionOptions),
    ...(options.permissionPromptTool === 'stdio' ? { prompts: 'manual' as const } : {}),
    hooks: sameHooks(hooks),
    otherHandlers: owner?.handlers,
  };
}

/** The parts of a program's options that work without it: not its hooks, and not its in-process servers. */
export function withoutOwner({ options, initialize }: ProgramParams): ProgramParams {
  const servers = Object.entries(isObject(options.mcpServers) ? options.mcpServers : {});
  const elsewhere = servers.filter(([, server]) => isObject(server) && server.type !== 'sdk');
  const { hooks: _hooks, sdkMcpServers: _servers, ...said } = initialize;
  const asked = { mcpServers: Object.fromEntries(elsewhere), permissionPromptTool: 'stdio', ...PAGE_SHOWS };
  return { options: { ...withoutStart(options), ...asked }, initialize: said };
}

/**
 * The hooks that a program declared, in the same order: they get the same ids here, so the CLI's calls mean the same
 * to both. They never run here, because the owner's handlers come first.
 */
function sameHooks(hooks: unknown): Hooks {
  const all: Record<string, WireObject[]> = {};
  for (const { event, matcher } of declaredHooks(hooks)) {
    const { matcher: pattern, timeout, onFailure } = matcher;
    const timeoutMs = typeof timeout === 'number' ? timeout * 1000 : timeout;
    const known = { matcher: pattern, timeoutMs, onFailure, run: () => undefined };
    const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
    all[event] = [...(all[event] ?? []), given];
  }
  return all as Hooks;
}

const MODE_KEYS: ReadonlySet<string> = new Set(['mode', 'permissionMode', 'permission_mode', 'defaultMode']);

/** Whether a client's value would turn off all permission checks, however deeply nested. */
export function asksForBypass(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(asksForBypass);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, each]) => isBypass(key, each) || asksForBypass(each));
}

/** The error for a client that asks for it where it is not allowed. */
export function bypassRefused(): CoxswainError {
  const message = 'bypassPermissions is not allowed here. Start the console with --allow-bypass to allow it.';
  return new CoxswainError('BYPASS_REFUSED', message);
}

/** The same, without the part that does it. */
export function withoutBypass(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBypass);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, each]) => !isBypass(key, each));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutBypass(each)]));
}

function isBypass(key: string, value: unknown): boolean {
  if (key === 'allowDangerouslySkipPermissions') return value === true;
  return MODE_KEYS.has(key) && value === 'bypassPermissions';
}
