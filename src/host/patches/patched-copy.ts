import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PatchReport } from './apply.js';

/** The file next to a patched copy that lists its patches. */
const MANIFEST = 'coxswain-patches.json';

/** The contents of the file `coxswain-patches.json`. */
export interface PatchedManifest {
  /** The CLI that was copied. */
  readonly from: string;
  /** The version of the CLI. */
  readonly version: string | undefined;
  /** The result of each patch. */
  readonly patches: readonly PatchReport[];
  /** The requests that the patches added. */
  readonly serves: readonly string[];
}

/**
 * The folder of a copy, which is created once. It depends on the place of the CLI: a copy links to the CLI's neighbouring
 * files, and would lose them if another project with the same CLI were deleted.
 */
export function copyFolder(cache: string, code: string, manifest: PatchedManifest): string {
  const hash = createHash('sha256').update(code).update(JSON.stringify(manifest));
  return join(cache, `${manifest.version ?? 'unknown'}-${hash.digest('hex').slice(0, 20)}`);
}

/** Whether a complete copy exists: the manifest is written last. */
export async function copyExists(folder: string): Promise<boolean> {
  return await stat(join(folder, MANIFEST)).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

/** Writes a copy next to its final place and moves it there, so that an incomplete one is never used. */
export async function writeCopy(folder: string, code: string, manifest: PatchedManifest): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    const cli = join(draft, basename(manifest.from));
    await bringNeighbours(manifest.from, draft);
    await writeFile(cli, code);
    await chmod(cli, 0o755);
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have created the same copy in the meantime.
    if (!(await copyExists(folder))) throw error;
  }
  return join(folder, basename(manifest.from));
}

/** The CLI loads files next to it: folders are linked, small files copied. */
async function bringNeighbours(from: string, to: string): Promise<void> {
  const folder = dirname(from);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (entry.name === basename(from)) continue;
    const source = join(folder, entry.name);
    const target = join(to, entry.name);
    if ((await stat(source)).isDirectory()) await symlink(source, target, 'junction');
    else await copyFile(source, target);
  }
  const packages = nearestPackages(folder);
  const has = entries.some(({ name }) => name === 'node_modules');
  if (!has && packages !== undefined) await symlink(packages, join(to, 'node_modules'), 'junction');
}

/** The `node_modules` that contains the CLI. */
function nearestPackages(folder: string): string | undefined {
  if (basename(folder) === 'node_modules') return folder;
  return dirname(folder) === folder ? undefined : nearestPackages(dirname(folder));
}
