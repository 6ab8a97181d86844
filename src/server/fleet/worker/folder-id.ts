import { statSync } from 'node:fs';

/** Tells whether two workers see the same folder, at whatever path; undefined if there is none. */
export function folderId(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino}-${found.birthtimeNs}`;
}
