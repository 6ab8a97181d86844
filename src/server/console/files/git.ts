import { type GitOptions, runGit } from '../../manager/workspaces/git.js';

/** How long git may take, and the default limit for its output. */
const LIMIT_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** What git printed. */
export interface GitOutput {
  readonly text: string;
  /** Whether it printed more than the limit. */
  readonly cut: boolean;
}

/** Lets git read something in a folder; undefined if there is no git, no repository, or nothing to read. */
export async function readGit(
  folder: string,
  args: readonly string[],
  options: Pick<GitOptions, 'mostBytes' | 'settings' | 'env'> = {},
): Promise<GitOutput | undefined> {
  const { isOk, isCut, output } = await runGit(folder, args, {
    limitMs: LIMIT_MS,
    mostBytes: MOST_BYTES,
    ...options,
  });
  return isOk || isCut ? { text: output, cut: isCut } : undefined;
}
