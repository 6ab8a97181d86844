import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'coxswain';

/**
 * The path of a file that the build makes, by its place in `dist`: the same from the sources and from bundled code. Throws
 * where this package is part of somebody's bundle, which has no such files.
 */
export function builtFile(path: string): string {
  const manifest = ownManifest();
  if (manifest === undefined) throw new Error(`${path} is a file of ${NAME}, which is inside a bundle here`);
  return join(manifest.folder, 'dist', path);
}

/** The version of this package; `unknown` in somebody's bundle. */
export function packageVersion(): string {
  return ownManifest()?.version ?? 'unknown';
}

interface Manifest {
  readonly folder: string;
  readonly version: string;
}

let known: Manifest | undefined;

/** The package.json with our name that is nearest upwards. */
function ownManifest(): Manifest | undefined {
  // A bundle of CommonJS leaves it undefined.
  const address: string | undefined = import.meta.url;
  if (!address?.startsWith('file:')) return undefined;
  known ??= lookUpwards(dirname(fileURLToPath(address)));
  return known;
}

function lookUpwards(folder: string): Manifest | undefined {
  const version = versionIn(folder);
  if (version !== undefined) return { folder, version };
  const parent = dirname(folder);
  return parent === folder ? undefined : lookUpwards(parent);
}

function versionIn(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return name === NAME ? String(version) : undefined;
  } catch {
    return undefined;
  }
}
