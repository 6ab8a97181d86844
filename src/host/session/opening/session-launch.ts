import { join } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';
import type { ExitReport } from '../../../wire/transport/process/line-process.js';
import { homeOf, realSystem, type System } from '../../../wire/transport/process/system.js';
import type { Transport } from '../../../wire/transport/transport.js';
import { pickOptions } from '../../../wire/util/option-checks.js';
import { type Capabilities, capabilitiesOf } from '../../cli/capabilities.js';
import { variableFor } from '../../cli/environment.js';
import { checkIgnored, flagsForIgnored } from '../../cli/initialize-fields.js';
import { launchCli, locateCli } from '../../cli/launch-cli.js';
import { askedLaunch } from '../../cli/options/asked-launch.js';
import { cliOptionSpecs, withoutStart } from '../../cli/options/cli-option-table.js';
import type { CliOptions } from '../../cli/options/cli-options.js';
import { modeThatAsks } from '../../cli/options/starting-mode.js';
import type { Identity, Launch, LaunchedCli } from '../../core/connection/launch.js';
import type { McpServers } from '../servers/dynamic-servers.js';
import { serversToSet } from '../servers/servers-to-set.js';
import type { SessionOptions } from '../session-options.js';
import { readOutputSchema } from '../turns/requested-output.js';
import { cliToStart, servedByPatches } from './patched-cli.js';

/** The conversation that a session begins with: a resumed one keeps its id, a fork or a new one gets ours. */
export function firstConversation(
  { sessionId, resume, forkSession, continue: continues }: SessionOptions,
  makeUuid: () => string,
): { readonly sessionId: string | undefined; readonly resumes: boolean } {
  const resumes = resume !== undefined || continues === true;
  if (sessionId !== undefined) return { sessionId, resumes };
  return { sessionId: resumes && forkSession !== true ? resume : makeUuid(), resumes };
}

/** Starts a CLI in the caller's own way, with the given MCP servers. */
export type OwnLaunch = (identity: Identity, servers: McpServers) => Promise<LaunchedCli>;

/** The launch for a set of options: the caller's own launch, a CLI process, or the caller's transport. */
export function launcherFor(options: SessionOptions, servers: () => McpServers, own?: OwnLaunch): Launch {
  if (own !== undefined) return recording(options, (identity) => own(identity, servers()));
  return recording(options, plainLauncher(options, servers));
}

function plainLauncher(options: SessionOptions, servers: () => McpServers): Launch {
  const { transport } = options;
  if (transport === undefined) return (identity) => launchProcess(options, identity, servers());
  return async (identity) => {
    const own =
      typeof transport === 'function'
        ? await transport(askedLaunch(asking(cliOptionsFor(options, identity), UNKNOWN_CLI)))
        : transport;
    // With a custom transport the command line, if any, already exists; an old CLI gets its servers over the wire.
    const unset = (capabilities: Capabilities) => serversToSet(servers(), { ...options, capabilities });
    return { transport: own, version: versionOf(own), serversToSet: unset };
  };
}

/** Wraps the launched transport in a recorder; its code is loaded on demand. */
function recording({ record, cwd, env, onDiagnostic }: SessionOptions, launch: Launch): Launch {
  if (record === undefined) return launch;
  return async (identity) => {
    const { recordLaunch } = await import('../../../wire/trace/record/record-launch.js');
    const cli = await launch(identity);
    const parts = { onDiagnostic: onDiagnostic ?? undefined };
    return { ...cli, transport: recordLaunch(record, { ...cli, cwd, env }, parts) };
  };
}

/** A transport to a CLI may know its version, immediately or later. */
async function versionOf(transport: Transport): Promise<string | undefined> {
  const version: unknown = await transport.version;
  return typeof version === 'string' ? version : undefined;
}

async function launchProcess(
  options: SessionOptions,
  identity: Identity,
  servers: McpServers,
): Promise<LaunchedCli> {
  const { given: patchedCli, told } = await cliToStart(options);
  const given = { ...cliOptionsFor(options, identity), ...patchedCli };
  const system = realSystem();
  const located = locateCli(given, system);
  const { cli, realPath, version } = located;
  const patched = servedByPatches(cli.path, system);
  const capabilities = capabilitiesOf({ version, patches: patched });
  const inFlags = flagsForIgnored(options, capabilities);
  checkIgnored(options, capabilities, inFlags);
  const unset = serversToSet(servers, { ...options, capabilities });
  const named = Object.entries(servers).filter(([name]) => !unset.includes(name));
  const extraArgs = { ...Object.fromEntries(inFlags.values()), ...given.extraArgs };
  const launched = { ...asking(given, capabilities), mcpServers: Object.fromEntries(named), extraArgs };
  const transport = await launchCli(launched, { located, system });
  let exit: ExitReport | undefined;
  void transport.exit.then((report) => {
    exit = report;
  });
  return {
    transport,
    exit: () => exit,
    version: transport.version,
    commandLine: transport.commandLine.masked,
    stderrTail: () => transport.stderrTail(),
    pid: transport.pid,
    login: transport.login,
    patched,
    isScript: /\.[cm]?js$/.test(realPath),
    inFlags,
    told,
    serversToSet: () => unset,
    debugLog: debugLogOf(options, identity.sessionId, system),
    home: homeFor(options, system),
  };
}

/** What goes on the command line. On a reopen, the caller's `continue`, `forkSession` and similar options no longer apply. */
export function cliOptionsFor(options: SessionOptions, { sessionId, resume, first }: Identity): CliOptions {
  const { mcpServers: _servers, outputSchema, ...own } = options;
  const output = outputSchema && { outputSchema: readOutputSchema(outputSchema).jsonSchema };
  // The CLI sends partial messages unless they are refused; the session decides who sees them.
  const partialMessages = options.partialMessages !== false;
  const given: CliOptions = {
    ...pickOptions(cliOptionSpecs, own),
    ...output,
    partialMessages,
    ...withRules(options),
  };
  const prompts = asksHere(options) ? { permissionPromptTool: 'stdio' } : {};
  if (first)
    return { ...prompts, ...given, ...(takesOwnId(given) && sessionId !== undefined ? { sessionId } : {}) };
  const rest = withoutStart(given);
  if (sessionId === undefined) return { ...prompts, ...rest };
  return { ...prompts, ...rest, ...(resume ? { resume: sessionId } : { sessionId }) };
}

/** Without the flag the CLI denies without prompting. */
function asksHere(options: SessionOptions): boolean {
  const { onPermission, onQuestion, onPlan, onElicitation, onDialog, handlers, prompts, rules } = options;
  const callbacks = [onPermission, onQuestion, onPlan, onElicitation, onDialog, handlers?.can_use_tool];
  return prompts === 'manual' || rules !== undefined || callbacks.some((callback) => callback !== undefined);
}

/** Adds a mode in which the CLI prompts, if prompts are wanted and nobody has chosen a mode. */
function asking(given: CliOptions, capabilities: Capabilities): CliOptions {
  if (given.permissionPromptTool === undefined) return given;
  return { ...given, permissionMode: given.permissionMode ?? modeThatAsks(given, capabilities) };
}

/** The program behind a custom transport is unknown. */
const UNKNOWN_CLI = capabilitiesOf({ version: undefined });

/** Rules go into the settings, which the CLI's own rule engine reads. */
function withRules({ settings = {}, rules }: SessionOptions): Pick<CliOptions, 'settings'> {
  if (rules === undefined || typeof settings === 'string') return {};
  const { permissions } = settings;
  const given = isObject(permissions) ? permissions : {};
  const merged = Object.entries(rules).map(([list, own = []]) => {
    const before = given[list];
    return [list, [...(Array.isArray(before) ? before : []), ...own]];
  });
  return { settings: { ...settings, permissions: { ...given, ...Object.fromEntries(merged) } } };
}

function takesOwnId({ resume, continue: continues, forkSession }: CliOptions): boolean {
  return (resume === undefined && continues !== true) || forkSession === true;
}

/** The debug log: old CLIs always write it, newer ones with `debug`. */
function debugLogOf(
  { debugFile, configDir, ...options }: SessionOptions,
  sessionId: string | undefined,
  system: System,
): string | undefined {
  if (debugFile !== undefined) return debugFile;
  if (sessionId === undefined) return undefined;
  const base =
    configDir ??
    variableFor('CLAUDE_CONFIG_DIR', options, system) ??
    join(homeFor(options, system), '.claude');
  return join(base, 'debug', `${sessionId}.txt`);
}

function homeFor(options: Pick<SessionOptions, 'env' | 'envMode'>, system: System): string {
  const names = ['HOME', 'USERPROFILE'];
  return homeOf(Object.fromEntries(names.map((name) => [name, variableFor(name, options, system)])));
}

/** The default deadline of the handshake: stdio MCP servers can delay old CLIs by up to 30 s. */
const DEFAULT_HANDSHAKE_MS = 60_000;

/** How long `initialize` may take: the option, or a variable of the CLI, or the default. */
export function handshakeDeadline(options: SessionOptions): number {
  if (options.handshakeMs !== undefined) return options.handshakeMs;
  const fromEnv = Number(variableFor('CLAUDE_CODE_STREAM_CLOSE_TIMEOUT', options, realSystem()));
  return Number.isFinite(fromEnv) && fromEnv > 0 ? fromEnv : DEFAULT_HANDSHAKE_MS;
}
