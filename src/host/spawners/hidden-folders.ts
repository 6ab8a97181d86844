import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isBelow } from '../../wire/files/is-below.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnRequest } from '../cli/spawner.js';
import { defaultConfigDir } from '../transcripts/project-folders.js';

/**
 * Checks that a folder shows nothing that a sandbox hides: the home, the config folder with the transcripts, and the
 * folders for temporary files, where other sessions have their private files; and more that the caller names.
 * @throws CoxswainError `SPAWN_FAILED` if it contains one of them, or is part of the config folder.
 */
export function checkShown(
  path: string,
  spawner: string,
  { env = {}, more = [] }: { readonly env?: SpawnRequest['env']; readonly more?: readonly string[] } = {},
): void {
  const { HOME, TMPDIR, CLAUDE_CONFIG_DIR } = env;
  const real = realOf(path);
  const configs = named([CLAUDE_CONFIG_DIR, defaultConfigDir()]);
  const hidden = [...configs, ...more, ...named([HOME, TMPDIR, homedir(), tmpdir(), '/tmp'])];
  const contained = hidden.find((folder) => isBelow(real, realOf(folder)));
  if (contained !== undefined)
    throw refusal(path, spawner, `contains ${contained}, which it hides. Use a folder inside it`);
  const config = configs.find((folder) => isBelow(realOf(folder), real));
  if (config !== undefined) throw refusal(path, spawner, `is part of ${config}, which it hides`);
}

function named(folders: readonly (string | undefined)[]): readonly string[] {
  return folders.flatMap((folder) => (folder ? [folder] : []));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function refusal(path: string, spawner: string, problem: string): CoxswainError {
  return new CoxswainError('SPAWN_FAILED', `${spawner} cannot show ${path} to a session: it ${problem}.`);
}
