import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'coxswain';

/**
 * The path of a built file, by its place in `dist`; works from the sources and from bundled code. Throws if this package
 * was bundled into another program, which has no such files.
 */
export function builtFile(path: string): string {
  return packageFile(join('dist', path));
}

/** The path of a file or folder of this package. Throws where `builtFile` does. */
export function packageFile(path: string): string {
  const manifest = ownManifest();
  if (manifest === undefined) {
    const remedy = `keep ${NAME} out of the bundle (docs/how-to/bundle.md)`;
    throw new Error(`${path} is a file of ${NAME}, which is inside a bundle here: ${remedy}`);
  }
  return join(manifest.folder, path);
}

/** The version of this package; `unknown` if it was bundled into another program. */
export function packageVersion(): string {
  return ownManifest()?.version ?? 'unknown';
}

interface Manifest {
  readonly folder: string;
  readonly version: string;
}

let known: Manifest | undefined;

/** The nearest package.json upwards that has our name. */
function ownManifest(): Manifest | undefined {
  // Undefined in a CommonJS bundle.
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
