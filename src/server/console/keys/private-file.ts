import { writeFileSync } from 'node:fs';
import { replaceFileNow } from '../../../wire/files/replace-file.js';

/** Writes a private file; a reader sees either the old content or the new one. */
export function writePrivately(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  replaceFileNow(`${path}.new`, path);
}
