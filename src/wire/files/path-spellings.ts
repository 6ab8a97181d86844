import { realpathSync } from 'node:fs';

/**
 * How a folder may be written, the longest first: as it is, with its links resolved (a folder for temporary files is
 * below a link on macOS), and with slashes, which programs on Windows write as well.
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
