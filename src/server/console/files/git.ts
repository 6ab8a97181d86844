import { execFile } from 'node:child_process';
import { programInPath } from '../../../wire/transport/process/program-path.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** How long git may take, and the default limit for its output. */
const TIMEOUT_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** What git printed. */
export interface GitOutput {
  readonly text: string;
  /** Whether it printed more than the limit. */
  readonly cut: boolean;
}

/** Additional input for git. */
export interface GitOptions {
  readonly mostBytes?: number | undefined;
  /** Settings that override those of the repository. */
  readonly settings?: Settings | undefined;
}

type Settings = readonly (readonly [name: string, value: string])[];

/** Runs nothing that a repository's own settings name: a model may have written them. */
const QUIET: Settings = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
];

/** Lets git read something in a folder; undefined if there is no git, no repository, or nothing to read. */
export function readGit(
  folder: string,
  args: readonly string[],
  { mostBytes = MOST_BYTES, settings = [] }: GitOptions = {},
): Promise<GitOutput | undefined> {
  const program = programInPath('git');
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const env = envWith([...QUIET, ...settings]);
    const options = { cwd: folder, env, maxBuffer: mostBytes, timeout: TIMEOUT_MS };
    execFile(program, ['--no-optional-locks', ...args], options, (error, text) => {
      if (error === null) return resolve({ text, cut: false });
      const isCut = error.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown);
      resolve(isCut ? { text, cut: true } : undefined);
    });
  });
}

/** Commits everything in a folder, without running what the repository's own settings name. */
export async function commitAll(folder: string): Promise<void> {
  if ((await withoutFilters(folder)).length > 0)
    throw failed(`The settings of the repository define filters. Commit in ${folder} yourself.`);
  for (const args of [
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Commit the files of a session'],
  ])
    await writeGit(folder, args);
}

function writeGit(folder: string, args: readonly string[]): Promise<void> {
  const program = programInPath('git');
  if (program === undefined) return Promise.reject(failed('There is no git in PATH.'));
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: envWith(QUIET), timeout: TIMEOUT_MS };
    execFile(program, args, options, (error, _text, stderr) => {
      if (error === null) resolve();
      else reject(failed(`git ${args[0]} failed in ${folder}: ${stderr.trim() || error.message}`));
    });
  });
}

function failed(message: string): CoxswainError {
  return new CoxswainError('WORKSPACE_FAILED', message);
}

/** The names in a zero-terminated list from git. */
export function namesIn({ text }: GitOutput): readonly string[] {
  // The part after the last zero is empty, or was cut off.
  return text.split('\0').slice(0, -1);
}

/**
 * Disables the filters from a repository's own settings: git would run them to compare files. Filters from the
 * user's settings stay.
 */
export async function withoutFilters(folder: string): Promise<Settings> {
  const args = ['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'];
  const output = await readGit(folder, args);
  const found = output === undefined ? [] : namesIn(output);
  const own = found.flatMap((scope, index) => {
    const name = found[index + 1];
    return index % 2 === 0 && (scope === 'local' || scope === 'worktree') && name !== undefined ? [name] : [];
  });
  const filters = new Set(own.map((name) => name.slice(0, name.lastIndexOf('.'))));
  return [...filters].flatMap((filter) => [
    [`${filter}.clean`, ''] as const,
    [`${filter}.process`, ''] as const,
    [`${filter}.required`, 'false'] as const,
  ]);
}

/** Variables that point git elsewhere do not apply to this folder, and nothing is fetched. */
function envWith(settings: Settings): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  // As variables, because a name may contain characters that end it on a command line.
  const named = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries([...others, ...named]),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}
