import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders that live as long as one CLI. */
export interface ThrowawayFolders {
  readonly home: string;
  readonly tmp: string;
  readonly cwd: string;
  /** Removes them with all their contents; may be called twice. */
  remove(): Promise<void>;
}

/** Creates a home, a folder for temporary files and a working folder, all under one new folder. */
export async function makeThrowawayFolders(parent: string = tmpdir()): Promise<ThrowawayFolders> {
  const base = await realpath(await mkdtemp(join(parent, 'coxswain-cli-')));
  const [home, tmp, cwd] = [join(base, 'home'), join(base, 'tmp'), join(base, 'work')];
  await Promise.all([home, tmp, cwd].map((folder) => mkdir(folder)));
  // On Windows, a CLI that was just ended may still have files open for a moment, or have written another
  // one.
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true, maxRetries: 5 });
  return { home, tmp, cwd, remove };
}
