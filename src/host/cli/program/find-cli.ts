import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type FileLook,
  pathsOf,
  readText,
  readVariable,
  realSystem,
  type System,
} from '../../../wire/transport/process/system.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type FoundHow, type Place, packagePlaces, searchPathPlaces, usualPlaces } from './cli-places.js';
import { type ProgramProblem, programProblem } from './program-check.js';

/** The options of {@link findCli}. */
export interface FindCliOptions {
  /** The CLI: a path, or a name to look up in PATH. Disables the rest of the search. */
  readonly cli?: string | undefined;
  /** The project folder; its node_modules and those above it are searched. */
  readonly cwd?: string | undefined;
  /** The PATH to search. Default: the host's own. */
  readonly searchPath?: string | undefined;
}

/** A CLI that was found. */
export interface FoundCli {
  /** The file. */
  readonly path: string;
  /** The search rule that found it. */
  readonly how: FoundHow;
}

/** A searched place, and why it was used or not. */
export interface LookedAt extends Place {
  /** Whether this one is used. */
  readonly taken: boolean;
  /** Why it was used or skipped. */
  readonly why: string;
}

/** The result of a search, with every place in search order; `error` says why none was used. */
export type CliSearch =
  | { readonly found: FoundCli; readonly looked: readonly LookedAt[]; readonly error?: undefined }
  | { readonly found?: undefined; readonly looked: readonly LookedAt[]; readonly error: CoxswainError };

/**
 * Searches for the CLI: the option, `CLAUDE_CODE_PATH`, the npm package or its platform binary near the project, PATH,
 * the usual install folders. Uses the first one that can run here. Never throws.
 */
export function findCli(options: FindCliOptions = {}, system: System = realSystem()): CliSearch {
  const named = namedPlaces(options, system);
  const places = named ?? unnamedPlaces(options, system);
  const looked: LookedAt[] = [];
  let firstProblem: ProgramProblem | undefined;
  for (const place of places) {
    const verdict = judge(place, system);
    looked.push(verdict.looked);
    if (verdict.found !== undefined) return { found: verdict.found, looked };
    if (verdict.problem.code !== 'CLI_NOT_FOUND') firstProblem ??= verdict.problem;
  }
  return { looked, error: notFound(options, looked, firstProblem, named !== undefined) };
}

/** The place of a CLI that the caller named by option or variable: no other place is searched then. */
function namedPlaces({ cli, searchPath }: FindCliOptions, system: System): Place[] | undefined {
  const variable = readVariable(system.platform, system.env, 'CLAUDE_CODE_PATH');
  const name = cli ?? (variable === '' ? undefined : variable);
  if (name === undefined) return undefined;
  const how = cli === undefined ? 'environment' : 'option';
  const { isAbsolute, resolve } = pathsOf(system.platform);
  if (isAbsolute(name) || /[/\\]/.test(name) || /\.[mc]?js$/.test(name)) {
    return withWindowsNames(resolve(system.cwd, name), system).map((path) => ({ how, path }));
  }
  return searchPathPlaces(name, searchPath ?? hostPath(system), system).map(({ path }) => ({ how, path }));
}

/** npm writes `claude` and `claude.ps1` for other shells next to the `claude.cmd` that Windows itself would start. */
function withWindowsNames(path: string, { platform }: System): readonly string[] {
  if (platform !== 'win32') return [path];
  const bare = path.replace(/\.ps1$/i, '');
  const isBare = pathsOf(platform).extname(bare) === '' || bare !== path;
  return isBare ? [`${bare}.exe`, `${bare}.cmd`, path] : [path];
}

function unnamedPlaces({ cwd, searchPath }: FindCliOptions, system: System): Place[] {
  const { resolve } = pathsOf(system.platform);
  const project = resolve(system.cwd, cwd ?? '.');
  return [
    ...packagePlaces([project, system.cwd, ...ownFolder(system)], system),
    ...searchPathPlaces('claude', searchPath ?? hostPath(system), system),
    ...usualPlaces(system),
  ];
}

/** Where this package is installed, to find a CLI of the same project. Unknown in a bundle. */
function ownFolder({ platform }: System): readonly string[] {
  const address: string | undefined = import.meta.url;
  const isKnown = platform === process.platform && address?.startsWith('file:');
  return isKnown ? [dirname(fileURLToPath(address))] : [];
}

function hostPath(system: System): string {
  return readVariable(system.platform, system.env, 'PATH') ?? '';
}

type Verdict =
  | { readonly looked: LookedAt; readonly found: FoundCli; readonly problem: undefined }
  | { readonly looked: LookedAt; readonly found: undefined; readonly problem: ProgramProblem };

function judge(place: Place, system: System): Verdict {
  const isShim = system.platform === 'win32' && /\.(?:cmd|bat)$/i.test(place.path);
  return isShim ? judgeShim(place, system) : judgeProgram(place, place.path, 'used', system);
}

function judgeShim(place: Place, system: System): Verdict {
  if (system.files.stat(place.path) === undefined) return refuse(place, 'CLI_NOT_FOUND', 'does not exist');
  const target = resolveCmdShim(place.path, system.files, pathsOf(system.platform).join);
  if (target === undefined) {
    return refuse(
      place,
      'CLI_NOT_EXECUTABLE',
      'is a batch file, and the program it starts could not be determined',
    );
  }
  return judgeProgram(place, target, `used: it starts ${target}`, system);
}

function judgeProgram(place: Place, program: string, why: string, system: System): Verdict {
  const problem = programProblem(program, system);
  if (problem !== undefined) return refuse(place, problem.code, problem.why);
  return {
    looked: { ...place, taken: true, why },
    found: { path: program, how: place.how },
    problem: undefined,
  };
}

function refuse(place: Place, code: ProgramProblem['code'], why: string): Verdict {
  const problem = { code, why: `${place.path} ${why}` };
  return { looked: { ...place, taken: false, why }, found: undefined, problem };
}

function notFound(
  { cli }: FindCliOptions,
  looked: readonly LookedAt[],
  problem: ProgramProblem | undefined,
  named: boolean,
): CoxswainError {
  const source = cli === undefined ? 'CLAUDE_CODE_PATH' : `the option "cli" (${JSON.stringify(cli)})`;
  if (problem !== undefined) {
    const what = named ? `The CLI of ${source} cannot be run` : 'The CLI that was found cannot be run';
    return new CoxswainError(problem.code, `${what}: ${problem.why}.`);
  }
  if (named) {
    const paths = looked.map(({ path }) => path).join(', ');
    const where = looked.length === 0 ? 'PATH is empty' : `nothing is at ${paths}`;
    return new CoxswainError('CLI_NOT_FOUND', `No CLI found at the path set by ${source}: ${where}.`);
  }
  return new CoxswainError(
    'CLI_NOT_FOUND',
    `No Claude CLI was found in ${looked.length} places (node_modules, PATH, the usual install folders). Install @anthropic-ai/claude-code, or set the option "cli" or the variable CLAUDE_CODE_PATH.`,
  );
}

/**
 * The program that an npm `.cmd` shim starts, resolved next to the shim; undefined if the shim is not
 * recognised. Node refuses to start batch files without a shell, and a shell would parse the arguments again.
 */
function resolveCmdShim(
  shim: string,
  files: FileLook,
  join: (...parts: string[]) => string,
): string | undefined {
  const text = readText(files, shim);
  if (text === undefined) return undefined;
  // The last match is the program: an earlier one checks for a node.exe next to the shim.
  const target = [...text.matchAll(SHIM_TARGET)]
    .map(([, path = '']) => path)
    .findLast((path) => !isNode(path));
  return target === undefined ? undefined : join(shim, '..', target);
}

const SHIM_TARGET = /"%(?:~dp0|dp0%)\\?([^"%]+?\.(?:js|mjs|cjs|exe))"/gi;

function isNode(path: string): boolean {
  return /(^|\\)node\.exe$/i.test(path);
}
