import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** The dependencies of {@link replaceFile}. */
export interface ReplaceParts<Result> {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Result;
}

/** The errors that Windows gives while a file is open elsewhere, briefly, by a reader or a virus scanner. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long to wait before each retry: half a second in total. */
const WAITS_MS = [5, 10, 20, 40, 80, 150, 200];

/** Replaces a file, or creates it, atomically. On Windows it retries for a while. */
export async function replaceFile(
  from: string,
  to: string,
  { platform = process.platform, rename: move = rename }: ReplaceParts<Promise<void>> = {},
): Promise<void> {
  for (const waitMs of platform === 'win32' ? WAITS_MS : []) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(waitMs);
    }
  }
  return move(from, to);
}

/** The synchronous version. */
export function replaceFileNow(
  from: string,
  to: string,
  { platform = process.platform, rename: move = renameSync }: ReplaceParts<void> = {},
): void {
  for (const waitMs of platform === 'win32' ? WAITS_MS : []) {
    try {
      move(from, to);
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
  move(from, to);
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && IN_USE.has(error.code);
}
