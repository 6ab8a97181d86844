import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders that live as long as one CLI. */
export interface ThrowawayFolders {
  readonly home: string;
  readonly tmp: string;
  readonly cwd: string;
  /** Removes them with all that is in them; may be called twice. */
  remove(): Promise<void>;
}

/** Makes a home, a folder for temporary files and a working folder, all under one new folder. */
export async function makeThrowawayFolders(parent: string = tmpdir()): Promise<ThrowawayFolders> {
  const base = await realpath(await mkdtemp(join(parent, 'coxswain-cli-')));
  const [home, tmp, cwd] = [join(base, 'home'), join(base, 'tmp'), join(base, 'work')];
  await Promise.all([home, tmp, cwd].map((folder) => mkdir(folder)));
  // A CLI that was just ended may still hold files for a moment on Windows, or have written one more.
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true, maxRetries: 5 });
  return { home, tmp, cwd, remove };
}
