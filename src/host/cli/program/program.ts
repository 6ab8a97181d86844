import { pathsOf, type System } from '../../../wire/transport/process/system.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { searchPathPlaces } from './cli-places.js';
import type { FileHeader } from './file-header.js';
import { headerOf, isNodeScript, programProblem, shebangProgram } from './program-check.js';

/** The program to start for a CLI: a native CLI itself, or an interpreter with the script as its argument. */
export interface Program {
  /** The file to start: the CLI, or its interpreter. */
  readonly file: string;
  /** Arguments that come before those of the CLI. */
  readonly prefix: readonly string[];
  /** The CLI file itself. */
  readonly cliPath: string;
}

/** How to run a script. */
export interface ProgramOptions {
  /** The program for `.js` CLIs: a path, or a name to look up; the host's own Node if not given. */
  readonly executable?: string | undefined;
  readonly executableArgs?: readonly string[] | undefined;
  /** The PATH that the child will have. */
  readonly searchPath: string;
}

/**
 * Decides what to start for a CLI file; never a shell.
 * @throws CoxswainError `INTERPRETER_NOT_FOUND` when the program a script needs is missing.
 */
export function resolveProgram(cliPath: string, options: ProgramOptions, system: System): Program {
  const header = headerOf(cliPath, system);
  if (isNodeScript(cliPath, system, header)) {
    const file = interpreter(
      options.executable ?? (system.electron ? 'node' : system.execPath),
      options,
      system,
    );
    return { file, prefix: [...(options.executableArgs ?? []), cliPath], cliPath };
  }
  checkShebang(cliPath, header, options, system);
  return { file: cliPath, prefix: [], cliPath };
}

function interpreter(name: string, options: ProgramOptions, system: System): string {
  const found = locate(name, options.searchPath, system);
  if (found !== undefined) return found;
  const asked = options.executable === undefined ? '' : ' (option "executable")';
  throw new CoxswainError(
    'INTERPRETER_NOT_FOUND',
    `The CLI is a script, and its interpreter ${JSON.stringify(name)}${asked} was not found.`,
  );
}

/** If the interpreter of a script is missing, the kernel says only ENOENT, so it is checked first. */
function checkShebang(
  cliPath: string,
  header: FileHeader | undefined,
  options: ProgramOptions,
  system: System,
): void {
  if (system.platform === 'win32' || header?.format !== 'script') return;
  for (const name of new Set([header.interpreter, shebangProgram(header)])) {
    if (locate(name, options.searchPath, system) !== undefined) continue;
    throw new CoxswainError(
      'INTERPRETER_NOT_FOUND',
      `${cliPath} is a script for ${name}, which was not found. Install it, or choose another CLI with the option "cli".`,
    );
  }
}

function locate(name: string, searchPath: string, system: System): string | undefined {
  const { isAbsolute, resolve } = pathsOf(system.platform);
  const paths =
    isAbsolute(name) || /[/\\]/.test(name)
      ? [resolve(system.cwd, name)]
      : searchPathPlaces(name, searchPath, system).map(({ path }) => path);
  return paths.find((path) => programProblem(path, system) === undefined);
}
