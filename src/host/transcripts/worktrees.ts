import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The roots of all git worktrees that belong to the same repository as a folder; none outside of git. Does not run git. */
export async function worktreesOf(folder: string): Promise<readonly string[]> {
  const gitDir = await findGitDir(folder);
  if (gitDir === undefined) return [];
  const common = await commonDirOf(gitDir);
  const main = basename(common) === '.git' ? [dirname(common)] : [];
  return [...main, ...(await linkedWorktrees(common))];
}

/**
 * The git folder of the repository that a folder is a worktree of. Whoever writes to the folder can point its `.git`
 * anywhere, so the repository must know it as a worktree too. Does not run git.
 */
export async function repositoryOf(worktree: string): Promise<string | undefined> {
  const pointer = join(worktree, '.git');
  const gitDir = await pointedTo(pointer);
  if (gitDir === undefined) return undefined;
  const known = (await readIfThere(join(gitDir, 'gitdir'))).trim();
  const [one, other, real] = await Promise.all(
    [pointer, resolve(gitDir, known), gitDir].map((path) => realpath(path).catch(() => undefined)),
  );
  return known !== '' && one === other && real !== undefined ? dirname(dirname(real)) : undefined;
}

async function findGitDir(folder: string): Promise<string | undefined> {
  const git = join(folder, '.git');
  const facts = await stat(git).catch(() => undefined);
  if (facts?.isDirectory()) return git;
  if (facts?.isFile()) return pointedTo(git);
  const parent = dirname(folder);
  return parent === folder ? undefined : findGitDir(parent);
}

/** In a linked worktree `.git` is a file that points to its part of the repository. */
async function pointedTo(file: string): Promise<string | undefined> {
  const [, path] = /^gitdir: (.+)$/m.exec(await readIfThere(file)) ?? [];
  return path === undefined ? undefined : resolve(dirname(file), path.trim());
}

async function commonDirOf(gitDir: string): Promise<string> {
  const common = (await readIfThere(join(gitDir, 'commondir'))).trim();
  return common === '' ? gitDir : resolve(gitDir, common);
}

async function linkedWorktrees(common: string): Promise<readonly string[]> {
  const folder = join(common, 'worktrees');
  const names = await readdir(folder).catch(() => []);
  const roots = names.map(async (name) => {
    const path = (await readIfThere(join(folder, name, 'gitdir'))).trim();
    // Git can write relative paths here, with slashes on Windows too.
    return path === '' ? [] : [dirname(resolve(folder, name, path))];
  });
  return (await Promise.all(roots)).flat();
}

function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
