import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareVersions } from '../../../wire/util/versions.js';

/** The id of the extension in the Chrome store. */
const EXTENSION = 'fcoeoabgfenejglbffodgkkbkcdhcgfn';

/** The browsers that the CLI supports, by their profile folders. */
const BROWSERS: Readonly<Record<string, readonly string[]>> = {
  linux: [
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware/Brave-Browser',
    '.config/microsoft-edge',
  ],
  darwin: [
    'Library/Application Support/Google/Chrome',
    'Library/Application Support/Chromium',
    'Library/Application Support/BraveSoftware/Brave-Browser',
    'Library/Application Support/Microsoft Edge',
  ],
  win32: [
    'AppData/Local/Google/Chrome/User Data',
    'AppData/Local/Chromium/User Data',
    'AppData/Local/BraveSoftware/Brave-Browser/User Data',
    'AppData/Local/Microsoft/Edge/User Data',
  ],
};

/** The newest version of the Chrome extension in this user's browsers; null if none has it. */
export async function findExtensionVersion(
  home: string,
  platform: string = process.platform,
): Promise<string | null> {
  const found: string[] = [];
  for (const browser of BROWSERS[platform] ?? []) {
    const folder = join(home, browser);
    for (const profile of await namesIn(folder)) {
      // Browsers name the folder after the version and a number: 1.0.36_0.
      const versions = await namesIn(join(folder, profile, 'Extensions', EXTENSION));
      found.push(...versions.flatMap((name) => /^(\d+(?:\.\d+)*)_\d+$/.exec(name)?.[1] ?? []));
    }
  }
  return found.sort(compareVersions).at(-1) ?? null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
