import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SessionPlace } from './transcript-types.js';

/** The folder in which the CLI keeps a folder of transcripts per project. */
export function projectsFolder({ configDir }: Pick<SessionPlace, 'configDir'>): string {
  return join(resolve(configDir ?? defaultConfigDir()), 'projects');
}

/** The CLI takes an empty variable for none. */
function defaultConfigDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
}

/** The longest folder name that the CLI makes of a path without shortening it. */
const MAX_PLAIN_KEY = 200;

/** The name that the CLI gives the folder of a project: everything but letters and digits is a dash. */
export function projectKeyOf(path: string): string {
  const plain = plainKey(path);
  return plain.length <= MAX_PLAIN_KEY ? plain : `${plain.slice(0, MAX_PLAIN_KEY)}-${hashOf(path)}`;
}

/** The key of a long path without its hash, which CLIs compute in different ways. */
export function longKeyPrefix(path: string): string | undefined {
  const plain = plainKey(path);
  return plain.length <= MAX_PLAIN_KEY ? undefined : `${plain.slice(0, MAX_PLAIN_KEY)}-`;
}

function plainKey(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** The portable hash of keys in stores: 31 times what was, plus the next unit, in 32 bits. */
function hashOf(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) hash = (hash * 31 + path.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}
