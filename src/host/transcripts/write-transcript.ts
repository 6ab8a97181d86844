import type { TranscriptEntry } from './store.js';
import { writeWhole } from './write-whole.js';

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
