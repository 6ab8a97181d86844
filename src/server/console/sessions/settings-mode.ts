import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsMode } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';

/** Where the settings files of a session lie. */
export interface SettingsPlace {
  readonly cwd: string;
  /** The CLI's own folder. */
  readonly configDir: string;
  /** Which of the files the CLI reads. Default: all. */
  readonly sources?: readonly string[] | undefined;
}

/** The permission mode that settings files ask for, which the console shows and does not use. */
export async function settingsMode({
  cwd,
  configDir,
  sources = ['user', 'project', 'local'],
}: SettingsPlace): Promise<SettingsMode | undefined> {
  // The first that names a mode counts, as for the CLI.
  const files = {
    local: join(cwd, '.claude', 'settings.local.json'),
    project: join(cwd, '.claude', 'settings.json'),
    user: join(configDir, 'settings.json'),
  };
  for (const [source, file] of Object.entries(files)) {
    const mode = sources.includes(source) ? await modeIn(file) : undefined;
    if (mode !== undefined) return { mode, file };
  }
  return undefined;
}

async function modeIn(file: string): Promise<string | undefined> {
  try {
    const settings: unknown = JSON.parse(await readFile(file, 'utf8'));
    const permissions = isObject(settings) ? settings.permissions : undefined;
    const mode = isObject(permissions) ? permissions.defaultMode : undefined;
    return typeof mode === 'string' ? mode : undefined;
  } catch {
    // None, or one that the CLI itself will complain of.
    return undefined;
  }
}
