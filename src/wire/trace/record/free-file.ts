import { existsSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { errorCode } from '../../util/error-text.js';

/** A file that was opened, under the name that it got. */
export interface OpenedFile {
  readonly path: string;
  readonly fd: number;
}

const OWNER_ONLY = 0o600;
const MOST = 10_000;

/**
 * Makes a file of this name, or of the next one that is free: `session-2.trace`. Nothing is written over, and of two
 * that ask at once, each gets its own. A name is taken also where parts of an earlier recording lie.
 */
export function openFree(path: string): OpenedFile {
  for (let number = 1; number < MOST; number += 1) {
    const candidate = numberedPath(path, number);
    if (existsSync(`${candidate}.1`)) continue;
    try {
      return { path: candidate, fd: openInFolder(candidate, 'wx') };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${MOST} recordings of this name exist`);
}

function numberedPath(path: string, number: number): string {
  if (number < 2) return path;
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${number}${extension}`);
}

/** Opens a file for its owner alone, and makes the folders that are missing. */
export function openInFolder(path: string, flags: string): number {
  try {
    return openSync(path, flags, OWNER_ONLY);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return openSync(path, flags, OWNER_ONLY);
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns in a place such as /proc. */
function makeFolder(folder: string, canMakeParent = dirname(folder) !== folder): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || !canMakeParent) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder, false);
  }
}
