import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../wire/files/replace-file.js';
import type { TranscriptEntry } from './store.js';

/** How much is collected before it is written. */
const WRITE_LENGTH = 256 * 1024;

/** Writes a new transcript, entry by entry. */
export async function writeTranscript(file: string, entries: AsyncIterable<TranscriptEntry>): Promise<void> {
  await writeWhole(file, async (handle) => {
    let text = '';
    for await (const entry of entries) {
      text += `${JSON.stringify(entry)}\n`;
      if (text.length < WRITE_LENGTH) continue;
      await handle.appendFile(text);
      text = '';
    }
    await handle.appendFile(text);
  });
}

/** Writes a file that only its owner can read. It appears under its name when complete, or not at all. */
export async function writeWhole(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await writeNew(temporary, fill);
    await replaceFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeNew(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  await using handle = await open(file, 'wx', 0o600);
  await fill(handle);
  await handle.sync();
}
