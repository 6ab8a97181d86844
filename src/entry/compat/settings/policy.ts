import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedSettings, ResolveSettingsOptions } from '../types/setting-types.js';
import type { Settings } from '../types/settings/settings.js';
import { merge, readSettings } from './files.js';
import { restrictive } from './restrictive.js';

type Source = ResolvedSettings['sources'][number];

/** The active policy: the first of these that exists. */
export async function policySource(
  configFolder: string,
  { serverManagedSettings, managedSettings }: ResolveSettingsOptions,
): Promise<{
  policy: Source | undefined;
  didNotLoad: NonNullable<ResolvedSettings['machinePolicy']>['didNotLoad'];
}> {
  const remote = serverManagedSettings ?? (await readSettings(join(configFolder, 'remote-settings.json')));
  const didNotLoad = NOT_READ[process.platform] ?? false;
  if (remote !== undefined) return { policy: managed(remote, { policyOrigin: 'remote' }), didNotLoad };
  const file = await machineFile();
  if (file !== undefined)
    return { policy: managed(file.settings, { policyOrigin: 'file', path: file.path }), didNotLoad };
  const kept = managedSettings === undefined ? {} : restrictive(managedSettings);
  const policy = Object.keys(kept).length === 0 ? undefined : managed(kept, { policyOrigin: 'parent' });
  return { policy, didNotLoad };
}

/** Policies that only system programs can read; a host that enforces policy has to know. */
const NOT_READ: Partial<Record<NodeJS.Platform, ('profile' | 'registry')[]>> = {
  darwin: ['profile'],
  win32: ['registry'],
};

function managed(settings: Settings, from: Pick<Source, 'policyOrigin' | 'path'>): Source {
  return { source: 'managed', settings, ...from };
}

/** The file that administrators write, together with those in the folder next to it. */
async function machineFile(): Promise<{ settings: Settings; path: string } | undefined> {
  const folder = MACHINE_FOLDERS[process.platform] ?? '/etc/claude-code';
  const path = join(folder, 'managed-settings.json');
  const beside = join(folder, 'managed-settings.d');
  const names = await readdir(beside).catch(() => []);
  const paths = [
    path,
    ...names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(beside, name)),
  ];
  const found = (await Promise.all(paths.map(readSettings))).filter((each) => each !== undefined);
  return found.length === 0 ? undefined : { settings: found.reduce(merge), path };
}

const MACHINE_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
};
