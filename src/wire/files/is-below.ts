import { relative, resolve, sep } from 'node:path';

/** Whether a real path is a folder, itself a real path, or below it. */
export function isBelow(folder: string, real: string): boolean {
  const path = relative(folder, real);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path);
}
