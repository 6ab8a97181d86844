import { buildEnvironment } from '../host/cli/environment.js';
import { VersionCache, versionBeside } from '../host/cli/program/cli-version.js';
import { resolveProgram } from '../host/cli/program/program.js';
import { readVariable, realSystem, type System } from '../wire/transport/process/system.js';

/** The version of a CLI: from the package beside it, or asked of the CLI itself; undefined if it does not say. */
export async function cliVersion(path: string, system: System = realSystem()): Promise<string | undefined> {
  const known = versionBeside(path, system);
  if (known !== undefined) return known;
  const env = buildEnvironment({}, system);
  const searchPath = readVariable(system.platform, env, 'PATH') ?? '';
  const program = resolveProgram(path, { searchPath }, system);
  return new VersionCache().ask(program, { env, mark: 'version' }, system);
}
