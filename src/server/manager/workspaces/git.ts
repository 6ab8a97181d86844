import { type ChildProcess, spawn } from 'node:child_process';
import { programInPath } from '../../../wire/transport/process/program-path.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** When git has to stop. */
export interface GitLimits {
  /** Stops git when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** How long one command may take, in milliseconds. Default: 5 minutes. */
  readonly limitMs?: number | undefined;
}

const LIMIT_MS = 5 * 60_000;
/** How long git may take to end when asked to, and its output to be read afterwards. */
const GRACE_MS = 2_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Runs git, and returns what it printed. @throws CoxswainError `WORKSPACE_FAILED` with its message. */
export async function git(
  cwd: string,
  args: readonly string[],
  { signal, limitMs = LIMIT_MS }: GitLimits = {},
): Promise<string> {
  const program = programInPath('git');
  if (program === undefined) throw workspaceFailed('There is no git in PATH, and worktrees need it.');
  const what = `git ${args[0]} ${args[1] ?? ''}`.trim();
  const ended = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal === undefined ? [] : [signal])]);
  const { code, output, problem } = await run(program, { cwd, args, ended });
  if (signal?.aborted) throw workspaceFailed(`${what} was stopped in ${cwd}.`);
  if (ended.aborted) throw workspaceFailed(`${what} did not end in ${cwd}, also not after ${limitMs} ms.`);
  if (code !== 0) throw workspaceFailed(`${what} failed in ${cwd}: ${problem.trim()}`);
  return output.trim();
}

/** An error of a workspace. */
export function workspaceFailed(message: string, cause?: unknown): CoxswainError {
  return new CoxswainError('WORKSPACE_FAILED', message, { cause });
}

interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly ended: AbortSignal;
}

/** Hooks get no input, and git asks nobody for a password. */
function run(
  program: string,
  { cwd, args, ended }: Run,
): Promise<{ readonly code: number | null; readonly output: string; readonly problem: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
      // Its hooks are in its group, and end with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const [output, problem] = [collect(child, 'stdout'), collect(child, 'stderr')];
    const stop = () => end(child);
    ended.addEventListener('abort', stop);
    if (ended.aborted) stop();
    const settle = (code: number | null, error?: Error) => {
      ended.removeEventListener('abort', stop);
      resolve({ code, output: output(), problem: error?.message ?? problem() });
    };
    child.once('error', (error) => settle(null, error));
    child.once('exit', () => leave(child, ended.aborted));
    child.once('close', (code) => settle(code));
  });
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  child[name]?.on('data', (part: Buffer) => {
    size += part.length;
    if (size > MOST_OUTPUT) end(child);
    else parts.push(part);
  });
  return () => Buffer.concat(parts).toString('utf8');
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
