import { type GitSettings, runGit, workspaceFailed } from '../../manager/workspaces/git.js';
import { changesRemotes, withoutFilters } from '../../manager/workspaces/repository-settings.js';

/** A remote that does not answer must not block a conversation forever. */
const GIT_MS = 120_000;

/** A checkpoint needs no configured name. */
const NAMED: GitSettings = [
  ['user.name', 'Coxswain'],
  ['user.email', 'coxswain@localhost'],
];
const PROTOCOLS = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };
/** How this worker reaches remotes, as its environment says. */
const OF_REMOTES = /^GIT_(?:SSH|ASKPASS|PROXY|HTTP|SSL)/;

/** How git runs in a clone. */
interface CloneOptions {
  /** Further variables, such as another index. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it may read or write files, and so run filters; writing a tree reads files that changed just now. */
  readonly touchesFiles?: boolean;
}

/**
 * Runs git in a clone and returns its output. A model may have written the clone's settings, so git runs nothing that they
 * name, and reaches no remote. @throws CoxswainError `WORKSPACE_FAILED`.
 */
export async function git(
  cwd: string,
  args: readonly string[],
  { env = {}, touchesFiles = false }: CloneOptions = {},
): Promise<string> {
  const settings = [...NAMED, ...(touchesFiles ? await withoutFilters(cwd) : [])];
  return outputOf(await runGit(cwd, args, { env, settings, limitMs: GIT_MS }));
}

/** Like {@link git}, but returns undefined if git fails. */
export async function tryGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  return git(cwd, args).catch(() => undefined);
}

/** Like {@link git}, for commands that reach a remote. @throws CoxswainError `WORKSPACE_FAILED` if the clone's settings change how. */
export async function remoteGit(cwd: string, args: readonly string[]): Promise<string> {
  if (await changesRemotes(cwd))
    throw workspaceFailed(
      `git ${args[0]} was not run in ${cwd}: the settings of this clone change how remotes are reached. Remove them from its .git/config.`,
    );
  const own = Object.entries(process.env).filter(([name]) => OF_REMOTES.test(name));
  const env = { ...Object.fromEntries(own), ...PROTOCOLS } as Readonly<Record<string, string>>;
  return outputOf(await runGit(cwd, args, { env, settings: NAMED, limitMs: GIT_MS }));
}

/** Runs git in a folder of the worker, where only its user's settings apply. */
export async function ownGit(cwd: string, args: readonly string[]): Promise<string> {
  const quiet = ['-c', 'core.hooksPath=/dev/null', ...args];
  return outputOf(await runGit(cwd, quiet, { runsHooks: true, limitMs: GIT_MS }));
}

function outputOf({ isOk, output, problem }: Awaited<ReturnType<typeof runGit>>): string {
  if (isOk) return output.trim();
  // Remote addresses may contain a password.
  throw workspaceFailed(problem.replaceAll(/\/\/[^@/\s]*@/g, '//'));
}
