import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Place } from '../subject.js';

/** Writes the files of a start; the first part of a path is `work` or `home`. */
export async function writeFiles(
  { home, cwd }: Place,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const [top = '', ...rest] = path.split('/');
    const file = join(top === 'home' ? home : cwd, ...rest);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
