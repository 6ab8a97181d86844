import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CoxswainError } from '../../../wire/util/errors.js';

const run = promisify(execFile);

/** A remote that does not answer must not block a conversation forever. */
const GIT_MS = 120_000;

// Nobody is there to type a password, hooks are for people, and a checkpoint needs no configured name.
const QUIET = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'user.name=Coxswain',
  '-c',
  'user.email=coxswain@localhost',
];

/** Runs git in a folder and returns its output. @throws CoxswainError `WORKSPACE_FAILED`. */
export async function git(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run('git', [...QUIET, ...args], {
      cwd,
      timeout: GIT_MS,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    });
    return stdout.trim();
  } catch (cause) {
    const { stderr } = cause as { readonly stderr?: string };
    // Remote addresses may contain a password.
    const text = (stderr?.trim() || 'it was ended').replaceAll(/\/\/[^@/\s]*@/g, '//');
    throw new CoxswainError('WORKSPACE_FAILED', `git ${args[0]} failed in ${cwd}: ${text}`, { cause });
  }
}

/** Like {@link git}, but returns undefined if git fails. */
export async function tryGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  return git(cwd, args).catch(() => undefined);
}
