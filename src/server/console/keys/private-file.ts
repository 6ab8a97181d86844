import { writeFileSync } from 'node:fs';
import { replaceFileNow } from '../../../wire/files/replace-file.js';

/** Writes a file for nobody else's eyes; a reader sees the old one or the new one, nothing between. */
export function writePrivately(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  replaceFileNow(`${path}.new`, path);
}
