import { checkCwd } from '../../wire/transport/process/check-cwd.js';
import { type CommandLine, maskWord, printable } from '../../wire/transport/process/command-line.js';
import { hostKeeper, type Watch } from '../../wire/transport/process/keeper.js';
import type { LineProcess } from '../../wire/transport/process/line-process.js';
import {
  type ChildPlan,
  markFor,
  type SpawnParts,
  startChild,
} from '../../wire/transport/process/spawn-lines.js';
import { pathsOf, realSystem, type System } from '../../wire/transport/process/system.js';
import { checkOptions } from '../../wire/util/option-checks.js';
import { capabilitiesOf, checkVersion } from './capabilities.js';
import {
  buildEnvironment,
  checkSearchPath,
  type EnvMode,
  environmentElsewhere,
  variableFor,
} from './environment.js';
import { LOGIN_FOLDER_VARIABLE, type Login, loginFolderName, loginOf } from './login/login.js';
import { StartSpread } from './login/start-spread.js';
import { argumentText, maskedArgument } from './options/argument-text.js';
import { needsVersion, passOptions } from './options/arguments.js';
import { cliOptionSpecs } from './options/cli-option-table.js';
import type { CliOptions } from './options/cli-options.js';
import { isJsonText } from './options/option-arguments.js';
import { cliOptionRules } from './options/option-rules.js';
import type { Argument } from './options/passing.js';
import { placePrivateValues, reportExposed } from './options/private-values.js';
import { VersionCache, type VersionSurroundings, versionBeside } from './program/cli-version.js';
import { type FoundCli, findCli } from './program/find-cli.js';
import { type Program, resolveProgram } from './program/program.js';
import { checkRootBypass } from './root-bypass.js';
import type { SpawnRequest } from './spawner.js';

/** A transport to a CLI. */
export interface CliTransport extends LineProcess {
  /** The CLI file, and the search rule that found it. */
  readonly cli: FoundCli;
  /** The CLI's version, if it can be found without asking over the wire; never rejects. */
  readonly version: Promise<string | undefined>;
  /** The login that it uses, if that is on this machine. @internal */
  readonly login: Login | undefined;
}

/** The dependencies of a launch. */
export interface LaunchParts extends SpawnParts {
  /** Remembers versions that were asked for. */
  readonly versions?: VersionCache | undefined;
  /** The CLI, if it was already searched with the same options. */
  readonly located?: LocatedCli | undefined;
  /** Spreads starts with the same login. @internal */
  readonly spread?: StartSpread | undefined;
}

/**
 * Starts a CLI that speaks the control protocol on its pipes. If possible, rejects before the start with the actual
 * cause: an option (`OPTION_INVALID`), the folder (`CWD_INVALID`), the file (`CLI_NOT_FOUND`, `CLI_NOT_EXECUTABLE`,
 * `CLI_WRONG_PLATFORM`), the interpreter (`INTERPRETER_NOT_FOUND`), root with bypassed permissions (`ROOT_BYPASS`), its
 * age (`CLI_TOO_OLD`).
 */
export async function launchCli(options: CliOptions = {}, parts: LaunchParts = {}): Promise<CliTransport> {
  checkOptions(cliOptionSpecs, options, cliOptionRules);
  const system = parts.system ?? realSystem();
  let plan = planLaunch(options, parts.located ?? locateCli(options, system), system);
  const { keeper = hostKeeper(), versions = sharedVersions, spread = sharedSpread } = parts;
  const watch = keeper.watch();
  const login = options.spawner?.hasOwnPrograms === true ? undefined : loginOf(plan.env, system);
  let transport: LineProcess;
  try {
    const surroundings = { versions, system, mark: markFor(watch, system) };
    plan = await sureOfFlags(plan, options, surroundings);
    const args = placePrivateValues(plan.arguments, watch.folder, system.platform);
    reportExposed(args, capabilitiesOf({ version: plan.version }).name, options.onDiagnostic);
    if (login !== undefined) await spread.pass(login, options.onDiagnostic);
    const child = await childFor(plan, { args, options, watch, system });
    transport = await startChild({ ...child, options, watch }, { ...parts, system, keeper });
  } catch (error) {
    watch.release();
    throw error;
  }
  const version =
    plan.version === undefined
      ? versions.ask(plan.program, askingFor(plan, options, markFor(watch, system)), system)
      : Promise.resolve(plan.version);
  return Object.assign(transport, { cli: plan.cli, version, login });
}

/** Flags that not every CLI has require its version, if the files do not show it. */
async function sureOfFlags(
  plan: LaunchPlan,
  options: CliOptions,
  { versions, system, mark }: { versions: VersionCache; system: System; mark: string },
): Promise<LaunchPlan> {
  if (plan.version !== undefined || !needsVersion(plan.arguments)) return plan;
  const version = await versions.ask(plan.program, askingFor(plan, options, mark), system);
  checkVersion(version);
  return { ...plan, version, arguments: passOptions(options, capabilitiesOf({ version })).arguments };
}

function askingFor({ env }: LaunchPlan, { spawner }: CliOptions, mark: string): VersionSurroundings {
  return { env, mark, spawner };
}

/** The process to start on this host: the CLI, or what its spawner starts for it. */
async function childFor(
  plan: LaunchPlan,
  { args, options, watch, system }: ChildParts,
): Promise<Omit<ChildPlan, 'options' | 'watch'>> {
  const plain = commandLineOf(plan.program, args, plan.cwd);
  const { spawner, sessionId, resume } = options;
  if (spawner === undefined) return { commandLine: plain, env: plan.env };
  const { end, ...command } = await spawner.prepare({
    ...plain,
    cli: plan.program.cliPath,
    env: plan.env,
    conversation: resume ?? sessionId,
    files: args.flatMap(({ value, isPrivateFile }) => (isPrivateFile === true && value ? [value] : [])),
    ...namedPaths(options, (path) =>
      spawner.hasOwnFolders ? path : pathsOf(system.platform).resolve(plan.cwd, path),
    ),
    privateFolder: watch.folder,
    id: watch.mark,
  });
  const cwd = command.cwd ?? system.cwd;
  const commandLine = { ...command, cwd, masked: `${spawner.name}: ${plain.masked}` };
  return { commandLine, env: command.env, endElsewhere: end };
}

/** What options name besides the working folder. */
function namedPaths(
  { additionalDirectories = [], plugins = [], settings, projectConfigRoot }: CliOptions,
  absolute: (path: string) => string,
): Pick<SpawnRequest, 'writable' | 'readable'> {
  const file = typeof settings === 'string' && !isJsonText(settings) ? [settings] : [];
  const root = projectConfigRoot === undefined ? [] : [projectConfigRoot];
  return {
    writable: additionalDirectories.map(absolute),
    readable: [...plugins.map(({ path }) => path), ...file, ...root].map(absolute),
  };
}

interface ChildParts {
  readonly args: readonly Argument[];
  readonly options: CliOptions;
  readonly watch: Watch;
  readonly system: System;
}

interface LaunchPlan {
  readonly cli: FoundCli;
  readonly program: Program;
  readonly arguments: readonly Argument[];
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly version: string | undefined;
}

/** The CLI that a launch starts. */
export interface LocatedCli {
  readonly cli: FoundCli;
  /** Its path with all links resolved; on another machine, the path itself. */
  readonly realPath: string;
  /** Undefined if the files do not show it. */
  readonly version: string | undefined;
  readonly cwd: string;
  readonly searchPath: string;
}

/** Searches for the CLI that a launch with these options starts; throws the errors of the launch. */
export function locateCli(options: CliOptions, system: System = realSystem()): LocatedCli {
  const { env, spawner, envMode = defaultMode(options) } = options;
  const cwd = spawner?.hasOwnFolders === true ? (options.cwd ?? '.') : checkCwd(options.cwd, system);
  if (spawner?.hasOwnPrograms === true) {
    const cli: FoundCli = { path: options.cli ?? 'claude', how: 'option' };
    return { cli, realPath: cli.path, version: undefined, cwd, searchPath: '' };
  }
  const searchPath = variableFor('PATH', { env, envMode }, system) ?? '';
  checkSearchPath(searchPath, envMode);
  const search = findCli({ cli: options.cli, cwd, searchPath }, system);
  if (search.error !== undefined) throw search.error;
  const cli = search.found;
  const realPath = system.files.real(cli.path);
  return { cli, realPath, version: versionBeside(cli.path, system, realPath), cwd, searchPath };
}

/** Decides everything that can be decided without starting anything. */
function planLaunch(options: CliOptions, located: LocatedCli, system: System): LaunchPlan {
  const { cli, version, cwd, searchPath } = located;
  const { executable, executableArgs, env: variables, envMode = defaultMode(options), spawner } = options;
  const isElsewhere = spawner?.hasOwnPrograms === true;
  const program = isElsewhere
    ? programElsewhere(cli.path, options)
    : resolveProgram(cli.path, { executable, executableArgs, searchPath }, system);
  checkVersion(version);
  const passed = passOptions(options, capabilitiesOf({ version }));
  const environment = isElsewhere ? environmentElsewhere : buildEnvironment;
  const merged = environment({ env: variables, envMode, fromOptions: passed.variables }, system);
  const env = { ...merged, ...configVariables(options, merged, system) };
  if (!isElsewhere) checkRootBypass(options, env, system.uid);
  return { cli, program, arguments: passed.arguments, env, cwd, version };
}

/** Another config folder, with the login of the one that the CLI would have used. */
function configVariables(
  { configDir, spawner }: CliOptions,
  env: Readonly<Record<string, string>>,
  system: System,
): Record<string, string> {
  if (configDir === undefined) return {};
  const isElsewhere = spawner?.hasOwnFolders === true;
  const folder = isElsewhere ? configDir : pathsOf(system.platform).resolve(system.cwd, configDir);
  return { CLAUDE_CONFIG_DIR: folder, [LOGIN_FOLDER_VARIABLE]: loginFolderName(env, system) };
}

/** Whoever asks for a sandbox does not want the host's keys in it. */
function defaultMode({ spawner }: CliOptions): EnvMode {
  return spawner === undefined ? 'extend' : 'isolated';
}

/** Files that are not on this host cannot be examined: the name says whether a CLI is a script. */
function programElsewhere(
  cliPath: string,
  { executable = 'node', executableArgs = [] }: CliOptions,
): Program {
  if (!/\.[cm]?js$/.test(cliPath)) return { file: cliPath, prefix: [], cliPath };
  return { file: executable, prefix: [...executableArgs, cliPath], cliPath };
}

function commandLineOf(program: Program, args: readonly Argument[], cwd: string): CommandLine {
  return {
    file: program.file,
    args: [...program.prefix, ...args.map(argumentText)],
    cwd,
    masked: printable([program.file, ...program.prefix.map(maskWord), ...args.map(maskedArgument)]),
  };
}

const sharedVersions = new VersionCache();

/** For every start of this process, with either entry point. */
export const sharedSpread = new StartSpread();
