import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programInPath } from '../../../wire/transport/process/program-path.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** When git has to stop. */
export interface GitLimits {
  /** Stops git when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** How long one command may take, in milliseconds. Default: 5 minutes. */
  readonly limitMs?: number | undefined;
}

/** How git runs. */
export interface GitOptions extends GitLimits {
  /**
   * Whether git runs the hooks of the repository and reaches its remotes. Default: no, because a model may have
   * written its settings.
   */
  readonly runsHooks?: boolean | undefined;
  /** Settings that override those of the repository. */
  readonly settings?: GitSettings | undefined;
  /** Further variables, such as another index. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What it reads, such as a patch. Default: nothing. */
  readonly input?: string | undefined;
  /** The limit for its output. */
  readonly mostBytes?: number | undefined;
}

/** Names and values of settings. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/** How git ended. */
export interface GitEnd {
  readonly isOk: boolean;
  /** Its exit code; null if it was stopped or did not start. */
  readonly code: number | null;
  readonly output: string;
  /** Whether it printed more than the limit. */
  readonly isCut: boolean;
  /** Why it failed. */
  readonly problem: string;
}

const LIMIT_MS = 5 * 60_000;
/** How long git may take to end when asked to, and its output to be read afterwards. */
const GRACE_MS = 2_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Keeps git from running what a repository's own settings name. */
const QUIET: GitSettings = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.editor', ':'],
  ['commit.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Runs git, and returns what it printed. @throws CoxswainError `WORKSPACE_FAILED` with its message. */
export async function git(cwd: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { isOk, output, problem } = await runGit(cwd, args, options);
  if (!isOk) throw workspaceFailed(problem);
  return output.trim();
}

/** Like {@link git}, for commands that print a zero-terminated list of names. */
export async function listGit(
  cwd: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<readonly string[]> {
  const { isOk, output, problem } = await runGit(cwd, args, options);
  if (!isOk) throw workspaceFailed(problem);
  return namesIn(output);
}

/** Like {@link git}, but returns undefined if git fails. */
export async function tryGit(
  cwd: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string | undefined> {
  const { isOk, output } = await runGit(cwd, args, options);
  return isOk ? output.trim() : undefined;
}

/** Runs git; never rejects. */
export async function runGit(
  cwd: string,
  args: readonly string[],
  { signal, limitMs = LIMIT_MS, mostBytes = MOST_OUTPUT, input, ...options }: GitOptions = {},
): Promise<GitEnd> {
  const program = programInPath('git');
  const failure = { isOk: false, code: null, output: '', isCut: false };
  if (program === undefined)
    return { ...failure, problem: 'There is no git in PATH, and worktrees need it.' };
  const what = `git ${args[0]} ${args[1] ?? ''}`.trim();
  const ended = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal === undefined ? [] : [signal])]);
  const run = { cwd, args, ended, mostBytes, input, env: envFor(cwd, options) };
  const { code, problem, ...printed } = await start(program, run);
  if (signal?.aborted) return { ...failure, problem: `${what} was stopped in ${cwd}.` };
  if (ended.aborted)
    return { ...failure, problem: `${what} did not end in ${cwd}, also not after ${limitMs} ms.` };
  return { ...printed, code, isOk: code === 0, problem: `${what} failed in ${cwd}: ${problem.trim()}` };
}

/** An error of a workspace. */
export function workspaceFailed(message: string, cause?: unknown): CoxswainError {
  return new CoxswainError('WORKSPACE_FAILED', message, { cause });
}

/**
 * Variables that point git elsewhere do not apply to this folder; the user's name and settings do. Settings are
 * variables, because a name may contain characters that end it on a command line.
 */
function envFor(cwd: string, { runsHooks = false, settings = [], env = {} }: GitOptions): NodeJS.ProcessEnv {
  if (runsHooks) return { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env };
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || OF_USER.test(name));
  const all = [...QUIET, ...settings];
  const named = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const top = checkoutAround(cwd);
  return {
    ...Object.fromEntries([...kept, ...named]),
    // Otherwise its settings (core.worktree) could send git to any folder.
    ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
    GIT_CONFIG_COUNT: String(all.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
    ...env,
  };
}

/** The nearest folder with a `.git` that git accepts; undefined outside of repositories. */
export function checkoutAround(cwd: string): string | undefined {
  let folder: string;
  try {
    folder = realpathSync(cwd);
  } catch {
    return undefined;
  }
  for (;;) {
    const place = join(folder, '.git');
    const isPointer = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
    if (isPointer || ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(place, name))))
      return folder;
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
}

const OF_USER = /^GIT_(?:AUTHOR|COMMITTER)_|^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/;

interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly ended: AbortSignal;
  readonly mostBytes: number;
  readonly input: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Git asks nobody for a password. */
function start(
  program: string,
  { cwd, args, ended, mostBytes, input, env }: Run,
): Promise<Omit<GitEnd, 'isOk'>> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env,
      // Its hooks are in its group, and end with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const output = collect(child, 'stdout', mostBytes);
    const problems = collect(child, 'stderr', MOST_OUTPUT);
    const stop = () => end(child);
    ended.addEventListener('abort', stop);
    if (ended.aborted) stop();
    const settle = (code: number | null, error?: Error) => {
      ended.removeEventListener('abort', stop);
      const { text, isCut } = output();
      resolve({ code, output: text, isCut, problem: error?.message ?? problems().text });
    };
    child.once('error', (error) => settle(null, error));
    child.once('exit', () => leave(child, ended.aborted));
    child.once('close', (code) => settle(code));
    // If git has ended before it read everything, its exit code says why.
    child.stdin?.on('error', () => {}).end(input);
  });
}

function collect(
  child: ChildProcess,
  name: 'stdout' | 'stderr',
  most: number,
): () => { readonly text: string; readonly isCut: boolean } {
  const parts: Buffer[] = [];
  let size = 0;
  child[name]?.on('data', (part: Buffer) => {
    if (size < most) parts.push(part.subarray(0, most - size));
    size += part.length;
    if (size > most) end(child);
  });
  return () => ({ text: Buffer.concat(parts).toString('utf8'), isCut: size > most });
}

/** Asked to end, git removes its locks. */
function end(child: ChildProcess): void {
  kill(child, 'SIGTERM');
  const timer = setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS);
  child.once('exit', () => clearTimeout(timer));
}

/** Something that git has started may still have its output open. */
function leave(child: ChildProcess, isStopped: boolean): void {
  if (isStopped) kill(child, 'SIGKILL');
  const timer = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}

/** The names in a zero-terminated list from git. */
export function namesIn(list: string): readonly string[] {
  // The part after the last zero is empty, or was cut off.
  return list.split('\0').slice(0, -1);
}
