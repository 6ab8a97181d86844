import { basename, join } from 'node:path';
import { applyPatches, type PatchReport } from './apply.js';
import { cacheFolder } from './cache-folder.js';
import { type CliSource, readCliSource } from './cli-source.js';
import type { Patch } from './patch.js';
import { copyExists, copyFolder, writeCopy } from './patched-copy.js';
import { builtinPatches, loadPatches, orderPatches } from './registry.js';

/** What can be said about patching a CLI. */
export interface PatchOptions {
  /** A folder with patches of the user's own. */
  readonly folder?: string | undefined;
  /** The patches to apply, in place of those that come with this package. */
  readonly patches?: readonly Patch[] | undefined;
  /** Where copies are kept; the user's cache folder unless given. */
  readonly cacheFolder?: string | undefined;
}

/** What patching a CLI would do, or did. */
export interface PatchPlan {
  /** The CLI as it is installed. */
  readonly from: string;
  readonly version: string | undefined;
  /** The patched copy; it may not be written yet. */
  readonly path: string;
  readonly written: boolean;
  readonly reports: readonly PatchReport[];
  /** The requests that the copy serves in addition. */
  readonly serves: readonly string[];
}

/** Says what patching a CLI would do; writes nothing. */
export async function planPatches(cliPath: string, options: PatchOptions = {}): Promise<PatchPlan> {
  return (await plan(await readCliSource(cliPath), options)).plan;
}

/** Makes a patched copy of a CLI in the user's cache folder, unless it is there already. The CLI itself is not touched. */
export async function preparePatchedCli(cliPath: string, options: PatchOptions = {}): Promise<PatchPlan> {
  const source = await readCliSource(cliPath);
  const { plan: planned, folder, code } = await plan(source, options);
  if (planned.written) return planned;
  const { version, reports, serves } = planned;
  await writeCopy(folder, code, { from: cliPath, version, patches: reports, serves });
  return { ...planned, written: true };
}

async function plan({ path, text, version }: CliSource, options: PatchOptions) {
  const { folder: own, patches = builtinPatches, cacheFolder: cache = cacheFolder() } = options;
  const added = own === undefined ? [] : await loadPatches(own);
  const { code, reports, serves } = applyPatches(text, orderPatches([...patches, ...added]), { version });
  const folder = copyFolder(cache, code, version);
  const written = await copyExists(folder);
  return {
    plan: { from: path, version, path: join(folder, basename(path)), written, reports, serves },
    folder,
    code,
  };
}
