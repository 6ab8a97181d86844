import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsMode } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';

/** Where a session's settings files are. */
export interface SettingsPlace {
  readonly cwd: string;
  /** The CLI's own folder. */
  readonly configDir: string;
  /** Which of the files the CLI reads. Default: all. */
  readonly sources?: readonly string[] | undefined;
}

/** The permission mode in settings files, which the console shows and does not use. */
export async function settingsMode({
  cwd,
  configDir,
  sources = ['user', 'project', 'local'],
}: SettingsPlace): Promise<SettingsMode | undefined> {
  // The first file that sets a mode wins, as in the CLI.
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
    // There is none, or one that the CLI itself will report.
    return undefined;
  }
}
