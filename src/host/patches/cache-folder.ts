import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where patched copies live: the user's cache folder, or what `COXSWAIN_CACHE` names. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  if (env.COXSWAIN_CACHE) return join(env.COXSWAIN_CACHE, 'patched');
  return join(userCache(env, platform), 'coxswain', 'patched');
}

function userCache(env: Readonly<Record<string, string | undefined>>, platform: string): string {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  return env.XDG_CACHE_HOME || join(home, '.cache');
}
