import { type Capabilities, capabilitiesOf } from '../../../host/cli/capabilities.js';
import { sharedSpread } from '../../../host/cli/launch-cli.js';
import { loginOf } from '../../../host/cli/login/login.js';
import { modeThatAsks } from '../../../host/cli/options/starting-mode.js';
import { versionBeside } from '../../../host/cli/program/cli-version.js';
import { findCli } from '../../../host/cli/program/find-cli.js';
import { resolveProgram } from '../../../host/cli/program/program.js';
import type { Launch, LaunchedCli } from '../../../host/core/connection/launch.js';
import { checkCwd } from '../../../wire/transport/process/check-cwd.js';
import { maskWord, printable } from '../../../wire/transport/process/command-line.js';
import { hostKeeper, type Watch } from '../../../wire/transport/process/keeper.js';
import { writePrivate } from '../../../wire/transport/process/private-files.js';
import { startChild } from '../../../wire/transport/process/spawn-lines.js';
import { readVariable, realSystem } from '../../../wire/transport/process/system.js';
import type { Transport } from '../../../wire/transport/transport.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import { launchError } from '../errors.js';
import { argumentsFor } from '../options/official-arguments.js';
import { environmentFor, type LaunchOptions } from '../options/official-environment.js';
import { flagsForFields } from '../options/official-initialize.js';
import { layOutStored } from '../store/stored-session.js';
import type { Options } from '../types/option-types.js';
import type { SpawnOptions } from '../types/process-types.js';
import { reportVariables } from './exposed-values.js';
import { ENDING, SpawnedTransport } from './spawned-transport.js';

/** A CLI whose input can be closed without ending it. */
export interface StartedProcess {
  readonly transport: Transport;
  readonly endInput: () => void;
}

/** Receives the progress of a launch. */
export interface LaunchWatcher {
  /** Does what must be done before `initialize` is sent, while the process starts. */
  prepareServers(): Promise<void>;
  processStarted(process: StartedProcess): void;
}

/** Starts the CLI as the official SDK does, and records it if requested. */
export function launcherFor(given: LaunchOptions, watcher: LaunchWatcher): Launch {
  return async () => {
    const preparing = watcher.prepareServers();
    const { options, remove } = await layOutStored(given);
    const { endInput, ...cli } = await start(options).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    void cli.transport.ended.then(remove);
    await preparing;
    const transport = await recorded(options, cli);
    watcher.processStarted({ transport, endInput });
    return { ...cli, transport };
  };
}

type Started = LaunchedCli & { readonly endInput: () => void };

async function start(options: LaunchOptions): Promise<Started> {
  const { spawnClaudeCodeProcess } = options;
  if (spawnClaudeCodeProcess !== undefined) return startByCaller(options, spawnClaudeCodeProcess);
  try {
    return await startProcess(options);
  } catch (error) {
    // A wrong option is not the fault of the CLI file.
    const isLaunch = error instanceof CoxswainError && !(error instanceof OptionError);
    throw isLaunch ? launchError(error, options.pathToClaudeCodeExecutable) : error;
  }
}

async function startProcess(options: LaunchOptions): Promise<Started> {
  const system = realSystem();
  const env = environmentFor(options);
  const cwd = checkCwd(options.cwd, system);
  const searchPath = readVariable(system.platform, env, 'PATH') ?? USUAL_PATH;
  const search = findCli({ cli: options.pathToClaudeCodeExecutable, cwd, searchPath }, system);
  if (search.error !== undefined) throw search.error;
  const version = versionBeside(search.found.path, system);
  const capabilities = capabilitiesOf({ version });
  const extraArgs = { ...flagsForFields(options, capabilities), ...options.extraArgs };
  const { executable, executableArgs } = options;
  const program = resolveProgram(search.found.path, { executable, executableArgs, searchPath }, system);
  const { file, prefix } = program;
  const before = prefix.length === 0 ? (executableArgs ?? []) : prefix;
  const watch = hostKeeper().watch();
  const args = [...before, ...privateArguments(asking({ ...options, extraArgs }, capabilities), watch)];
  reportVariables(args, warn);
  const commandLine = { file, args, cwd, masked: printable([file, ...args.map(maskWord)]) };
  const login = loginOf(env, system);
  if (login !== undefined) await sharedSpread.pass(login, warn);
  const transport = await startChild(
    { commandLine, env, options: { ending: ENDING, onStderr: options.stderr }, watch },
    { system },
  );
  return {
    transport,
    endInput: () => transport.endInput(),
    version: Promise.resolve(version),
    commandLine: transport.commandLine.masked,
    stderrTail: () => transport.stderrTail(),
    pid: transport.pid,
  };
}

/** The arguments with servers and settings in files, since every user of the machine can read a command line. */
function privateArguments(options: LaunchOptions, watch: Watch): string[] {
  let files = 0;
  try {
    return argumentsFor(options, (flag, text) => {
      files += 1;
      return writePrivate(watch.folder, `${files}${flag.slice(1)}.json`, text);
    });
  } catch (error) {
    watch.release();
    throw error;
  }
}

/** A CLI that would start in a mode without prompts is started in the default mode; an unknown CLI as by the original. */
function asking(options: LaunchOptions, capabilities: Capabilities): LaunchOptions {
  const { canUseTool, permissionPromptToolName } = options;
  if (capabilities.version === undefined || (canUseTool ?? permissionPromptToolName) === undefined)
    return options;
  const mode = modeThatAsks(options, capabilities);
  return mode === undefined ? options : { ...options, permissionMode: mode };
}

/** The places that systems search if there is no PATH. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

async function startByCaller(
  options: LaunchOptions,
  spawn: NonNullable<Options['spawnClaudeCodeProcess']>,
): Promise<Started> {
  const expiry = new AbortController();
  const asked = spawnOptions(options, expiry.signal);
  // A file of this host may not exist where the program starts the CLI.
  reportVariables(asked.args, warn);
  const transport = new SpawnedTransport(spawn(asked), {
    expire: () => expiry.abort(),
    onStderr: options.stderr,
  });
  return {
    transport,
    endInput: () => transport.endInput(),
    // Nobody here knows which CLI this starts; it reports its version in the answer to `initialize` or with the first turn.
    version: Promise.resolve(undefined),
    commandLine: printable([asked.command, ...asked.args.map(maskWord)]),
    stderrTail: () => transport.stderrTail(),
  };
}

/** The spawner knows where the program is: it may be on another machine. */
function spawnOptions(options: LaunchOptions, signal: AbortSignal): SpawnOptions {
  const cli = options.pathToClaudeCodeExecutable ?? foundHere(options);
  const { executable = usualRuntime(), executableArgs = [], cwd } = options;
  const script = /\.(?:js|mjs|cjs|ts|mts|cts|tsx|jsx)$/i.test(cli);
  return {
    command: script ? executable : cli,
    args: [...executableArgs, ...(script ? [cli] : []), ...argumentsFor(options)],
    ...(cwd === undefined ? {} : { cwd }),
    env: environmentFor(options),
    signal,
  };
}

/** The runtime of this program runs a script too. */
function usualRuntime(): string {
  return process.versions.bun === undefined ? 'node' : 'bun';
}

function foundHere({ cwd }: Options): string {
  const search = findCli({ cwd });
  if (search.error !== undefined) throw launchError(search.error, undefined);
  return search.found.path;
}

/** The official SDK has no way to report problems that do not affect the session. */
function warn({ code, message }: Diagnostic): void {
  process.emitWarning(message, { code: `COXSWAIN_${code}` });
}

/** The recorder is loaded only if it is used. */
async function recorded({ record, cwd, env }: LaunchOptions, cli: LaunchedCli): Promise<Transport> {
  if (record === undefined) return cli.transport;
  const { recordLaunch } = await import('../../../wire/trace/record/record-launch.js');
  return recordLaunch(record, { ...cli, cwd, env }, { onDiagnostic: warn });
}
