import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findCli } from '../../host/cli/program/find-cli.js';
import { resolveProgram } from '../../host/cli/program/program.js';
import { readVariable, realSystem } from '../../wire/transport/process/system.js';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.js';

/** Opens the CLI's own login in this terminal; the exit code says whether it succeeded. */
export async function logIn(cli: string | undefined, cwd: string): Promise<number> {
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const system = realSystem();
  const searchPath = readVariable(system.platform, system.env, 'PATH') ?? '';
  const { file, prefix } = resolveProgram(search.found.path, { searchPath }, system);
  const child = spawn(file, [...prefix, '/login'], { cwd, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0 ? EXIT_OK : EXIT_FAILED;
}
