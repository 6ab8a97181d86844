import { checkCwd } from '../../wire/transport/process/check-cwd.js';
import { type CommandLine, maskWord, printable } from '../../wire/transport/process/command-line.js';
import { hostKeeper } from '../../wire/transport/process/keeper.js';
import type { LineProcess } from '../../wire/transport/process/line-process.js';
import { markFor, type SpawnParts, startChild } from '../../wire/transport/process/spawn-lines.js';
import { readVariable, realSystem, type System } from '../../wire/transport/process/system.js';
import { checkOptions } from '../../wire/util/option-checks.js';
import { capabilitiesOf, checkVersion } from './capabilities.js';
import { buildEnvironment } from './environment.js';
import { argumentText, maskedArgument } from './options/argument-text.js';
import { needsVersion, passOptions } from './options/arguments.js';
import { cliOptionSpecs } from './options/cli-option-table.js';
import type { CliOptions } from './options/cli-options.js';
import { placeLongValues } from './options/long-values.js';
import { cliOptionRules } from './options/option-rules.js';
import type { Argument } from './options/passing.js';
import { VersionCache, versionBeside } from './program/cli-version.js';
import { type FoundCli, findCli } from './program/find-cli.js';
import { type Program, resolveProgram } from './program/program.js';
import { checkRootBypass } from './root-bypass.js';

/** A transport to a CLI. */
export interface CliTransport extends LineProcess {
  /** The CLI file, and the search rule that found it. */
  readonly cli: FoundCli;
  /** The CLI's version, if it can be found without asking over the wire; never rejects. */
  readonly version: Promise<string | undefined>;
}

/** The dependencies of a launch. */
export interface LaunchParts extends SpawnParts {
  /** Remembers versions that were asked for. */
  readonly versions?: VersionCache | undefined;
  /** The CLI, if it was already searched with the same options. */
  readonly located?: LocatedCli | undefined;
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
  const { keeper = hostKeeper(), versions = sharedVersions } = parts;
  const watch = keeper.watch();
  let transport: LineProcess;
  try {
    const surroundings = { versions, system, mark: markFor(watch, system) };
    plan = await sureOfFlags(plan, options, surroundings);
    const args = placeLongValues(plan.arguments, watch.folder, system.platform);
    const commandLine = commandLineOf(plan.program, args, plan.cwd);
    transport = await startChild(
      { commandLine, env: plan.env, options, watch },
      { ...parts, system, keeper },
    );
  } catch (error) {
    watch.release();
    throw error;
  }
  const version =
    plan.version === undefined
      ? versions.ask(plan.program, { env: plan.env, mark: markFor(watch, system) }, system)
      : Promise.resolve(plan.version);
  return Object.assign(transport, { cli: plan.cli, version });
}

/** Flags that not every CLI has require its version, if the files do not show it. */
async function sureOfFlags(
  plan: LaunchPlan,
  options: CliOptions,
  { versions, system, mark }: { versions: VersionCache; system: System; mark: string },
): Promise<LaunchPlan> {
  if (plan.version !== undefined || !needsVersion(plan.arguments)) return plan;
  const version = await versions.ask(plan.program, { env: plan.env, mark }, system);
  checkVersion(version);
  return { ...plan, version, arguments: passOptions(options, capabilitiesOf({ version })).arguments };
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
  /** Undefined if the files do not show it. */
  readonly version: string | undefined;
  readonly cwd: string;
  readonly searchPath: string;
}

/** Searches for the CLI that a launch with these options starts; throws the errors of the launch. */
export function locateCli(options: CliOptions, system: System = realSystem()): LocatedCli {
  const cwd = checkCwd(options.cwd, system);
  const { env, envMode } = options;
  const searchPath = readVariable(system.platform, buildEnvironment({ env, envMode }, system), 'PATH') ?? '';
  const search = findCli({ cli: options.cli, cwd, searchPath }, system);
  if (search.error !== undefined) throw search.error;
  const cli = search.found;
  return { cli, version: versionBeside(cli.path, system), cwd, searchPath };
}

/** Decides everything that can be decided without starting anything. */
function planLaunch(options: CliOptions, located: LocatedCli, system: System): LaunchPlan {
  const { cli, version, cwd, searchPath } = located;
  const { executable, executableArgs, env: variables, envMode } = options;
  const program = resolveProgram(cli.path, { executable, executableArgs, searchPath }, system);
  checkVersion(version);
  const passed = passOptions(options, capabilitiesOf({ version }));
  const env = buildEnvironment({ env: variables, envMode, fromOptions: passed.variables }, system);
  checkRootBypass(options, env, system.uid);
  return { cli, program, arguments: passed.arguments, env, cwd, version };
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
