import { existsSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { errorCode } from '../../util/error-text.js';

/** An opened file and the name that it got. */
export interface OpenedFile {
  readonly path: string;
  readonly fd: number;
}

const OWNER_ONLY = 0o600;
const MOST = 10_000;

/**
 * Creates a file with this name, or with the next free one: `session-2.trace`. Nothing is overwritten, and two
 * concurrent calls get different files. A name also counts as taken if parts of an earlier recording have it.
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

/** Opens a file that only its owner can read, and creates missing folders. */
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
