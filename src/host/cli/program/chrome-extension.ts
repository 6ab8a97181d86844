import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareVersions } from '../../../wire/util/versions.js';

/** The id of the extension in the stores. */
const EXTENSION = 'fcoeoabgfenejglbffodgkkbkcdhcgfn';

/** Browsers that the CLI works with, by the folders of their profiles. */
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

/** The newest version of the Chrome extension that a browser of this user has installed; null where none has. */
export async function findExtensionVersion(
  home: string,
  platform: string = process.platform,
): Promise<string | null> {
  const found: string[] = [];
  for (const browser of BROWSERS[platform] ?? []) {
    const folder = join(home, browser);
    for (const profile of await namesIn(folder)) {
      // A browser names the folder after the version, with a number behind it: 1.0.36_0.
      const versions = await namesIn(join(folder, profile, 'Extensions', EXTENSION));
      found.push(...versions.flatMap((name) => /^(\d+(?:\.\d+)*)_\d+$/.exec(name)?.[1] ?? []));
    }
  }
  return found.sort(compareVersions).at(-1) ?? null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
