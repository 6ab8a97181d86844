import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** What {@link replaceFile} needs from outside. */
export interface ReplaceParts<Result> {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Result;
}

/** What Windows says while a file is open somewhere: for a moment by a reader or a virus scanner. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long to wait before each further try: half a second in all. */
const WAITS_MS = [5, 10, 20, 40, 80, 150, 200];

/** Puts a file in the place of another, or of none. Nobody sees half of it. On Windows it is tried again for a while. */
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

/** The same, done when it returns. */
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
