import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a file that only its owner can read; it appears under its name when it is whole, or not at all. */
export async function writeWhole(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await using handle = await open(temporary, 'wx', 0o600);
    await fill(handle);
    await handle.sync();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
