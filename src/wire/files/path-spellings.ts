import { realpathSync } from 'node:fs';

/**
 * The ways to write a folder, longest first: as it is, with links resolved (on macOS the temporary folder is behind
 * a link), and with forward slashes, which programs on Windows use too.
 */
export function pathSpellings(path: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  const known = [path, realOr(path)];
  const all = platform === 'win32' ? known.flatMap((each) => [each, each.replaceAll('\\', '/')]) : known;
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
