import { existsSync, realpathSync } from 'node:fs';
import { isBelow } from '../../wire/files/is-below.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnRequest } from '../cli/spawner.js';
import { repositoryOf } from '../transcripts/worktrees.js';
import { checkFolder } from './checks.js';
import { checkShown } from './hidden-folders.js';

/** Folders and files of this machine that a session sees at the same paths. */
interface Mounts {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
}

/**
 * What a session sees besides its part of the config folder: what the spawner's own options name, its working folders,
 * and the repository of a worktree.
 * @throws CoxswainError `SPAWN_FAILED` for a folder that does not exist or would show too much, and for a path in the
 * session's options that it would not see.
 */
export async function mountsFor(
  request: SpawnRequest,
  { writable = [], readable = [] }: { readonly [Name in keyof Mounts]?: Mounts[Name] | undefined },
  { spawner, visible }: { readonly spawner: string; readonly visible: readonly string[] },
): Promise<Mounts> {
  const folders = [request.cwd, ...request.writable];
  for (const path of [...writable, ...readable, ...folders]) checkFolder(path, spawner);
  // Not what the spawner's own options name: whoever sets them decides what a session sees.
  for (const path of folders) checkShown(path, spawner, request);
  const repository = await repositoryOf(request.cwd);
  if (repository !== undefined) checkShown(repository, spawner, request);
  const all = {
    writable: [...folders, ...writable],
    // A session that could change the repository could leave hooks there, which run outside.
    readable: [...(repository === undefined ? [] : [repository]), ...readable],
  };
  checkVisible(request.readable, [...all.writable, ...all.readable, ...visible], spawner);
  return all;
}

/** They are not shown by themselves: a client of a console may set these options, and would read any file. */
function checkVisible(paths: readonly string[], visible: readonly string[], spawner: string): void {
  const shown = visible.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  const hidden = paths.find(
    (path) => existsSync(path) && !shown.some((folder) => isBelow(folder, realpathSync(path))),
  );
  if (hidden === undefined) return;
  const problem = `${spawner} does not show ${hidden} to a session, and one of its options names it.`;
  throw new CoxswainError('SPAWN_FAILED', `${problem} Add it to "readable" of the spawner.`);
}
