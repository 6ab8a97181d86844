import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';
import { findVersion } from '../../wire/util/versions.js';

/** The source of a JavaScript CLI. */
export interface CliSource {
  /** The real path of the file: in PATH it is usually a link, and the neighbouring files are those of the real path. */
  readonly path: string;
  readonly text: string;
  /** From the package next to it. */
  readonly version: string | undefined;
}

/**
 * Reads a CLI that can be patched.
 * @throws CoxswainError `CLI_NOT_PATCHABLE` for a native binary or a file that cannot be read.
 */
export async function readCliSource(named: string): Promise<CliSource> {
  const { path, bytes } = await readBytes(named);
  // A script has no NUL near its start; every native format does.
  if (bytes.subarray(0, 512).includes(0)) {
    throw new CoxswainError(
      'CLI_NOT_PATCHABLE',
      `${path} is a native binary. Only the older JavaScript CLIs can be patched; native ones support most endpoints themselves.`,
    );
  }
  return { path, text: bytes.toString('utf8'), version: await versionBeside(path) };
}

async function readBytes(named: string): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  try {
    const path = await realpath(named);
    return { path, bytes: await readFile(path) };
  } catch (cause) {
    throw new CoxswainError('CLI_NOT_PATCHABLE', `The CLI ${named} cannot be read.`, { cause });
  }
}

async function versionBeside(path: string): Promise<string | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(dirname(path), 'package.json'), 'utf8'));
    const version = typeof manifest === 'object' && manifest !== null && Reflect.get(manifest, 'version');
    return typeof version === 'string' ? findVersion(version) : undefined;
  } catch {
    return undefined;
  }
}
