import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';
import { applyPatches, type PatchReport } from './apply.js';
import { type CliSource, readCliSource } from './cli-source.js';
import type { Patch } from './patch.js';
import { copyExists, copyFolder, type PatchedManifest, writeCopy } from './patched-copy.js';
import { builtinPatches, loadPatches, orderPatches } from './registry.js';

/** Options for patching a CLI. */
export interface PatchOptions {
  /** A folder with the user's own patches. */
  readonly folder?: string | undefined;
  /** The patches to apply instead of the built-in ones. */
  readonly patches?: readonly Patch[] | undefined;
  /** The folder for copies. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** What patching a CLI would do, or did. */
export interface PatchPlan {
  /** The installed CLI. */
  readonly from: string;
  /** The version of the CLI, if known. */
  readonly version: string | undefined;
  /** The patched copy, which may not exist yet. */
  readonly path: string;
  /** Whether the copy was written. */
  readonly written: boolean;
  /** The result of each patch. */
  readonly reports: readonly PatchReport[];
  /** The additional requests of the copy. */
  readonly serves: readonly string[];
}

/** Returns what patching a CLI would do; writes nothing. */
export async function planPatches(cliPath: string, options: PatchOptions = {}): Promise<PatchPlan> {
  return (await plan(await readCliSource(cliPath), options)).plan;
}

/**
 * Creates a patched copy of a CLI in the user's cache folder if it does not exist yet. The CLI itself is not modified.
 */
export async function preparePatchedCli(cliPath: string, options: PatchOptions = {}): Promise<PatchPlan> {
  const { plan: planned, folder, code, manifest } = await plan(await readCliSource(cliPath), options);
  if (planned.written) return planned;
  await writeCopy(folder, code, manifest);
  return { ...planned, written: true };
}

async function plan({ path: from, text, version }: CliSource, options: PatchOptions) {
  if (await copyExists(dirname(from))) throw patchedAlready(from);
  const { folder: own, patches = builtinPatches, cacheFolder: cache = cacheFolder() } = options;
  const added = own === undefined ? [] : await loadPatches(own);
  const { code, reports, serves } = applyPatches(text, orderPatches([...patches, ...added]), { version });
  const manifest: PatchedManifest = { from, version, patches: reports, serves };
  const folder = copyFolder(cache, code, manifest);
  const written = await copyExists(folder);
  const path = join(folder, basename(from));
  return { plan: { from, version, path, written, reports, serves }, folder, code, manifest };
}

function patchedAlready(path: string): CoxswainError {
  return new CoxswainError(
    'CLI_NOT_PATCHABLE',
    `${path} is already a patched copy. Start it as it is, or choose the CLI that it was made from.`,
  );
}

/** The folder for patched copies: `COXSWAIN_CACHE`, or the user's cache folder. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  if (env.COXSWAIN_CACHE) return join(env.COXSWAIN_CACHE, 'patched');
  return join(userCache(env, platform), 'coxswain', 'patched');
}

function userCache(env: Readonly<Record<string, string | undefined>>, platform: string): string {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  return env.XDG_CACHE_HOME || join(home, '.cache');
}
