import { homedir } from 'node:os';
import { join } from 'node:path';
import type {
  ProvenanceEntry,
  ResolvedSettings,
  ResolveSettingsOptions,
  SettingSource,
} from '../types/setting-types.js';
import type { Settings } from '../types/settings/settings.js';
import { merge, readSettings } from './files.js';
import { policySource } from './policy.js';

type Source = ResolvedSettings['sources'][number];

/** From the weakest to the strongest. */
const FILE_SOURCES: readonly SettingSource[] = ['user', 'project', 'local'];

/** The settings that a CLI would find, without starting one: files of the user and the project, and policies. */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  const { cwd = process.cwd(), settingSources = FILE_SOURCES } = options;
  const wanted = FILE_SOURCES.filter((source) => settingSources.includes(source));
  const files = await Promise.all(wanted.map((source) => fileSource(source, cwd)));
  const { policy, didNotLoad } = await policySource(configFolder(), options);
  const sources = [...files, policy].filter((source) => source !== undefined);
  return {
    effective: sources.reduce<Settings>((merged, { settings }) => merge(merged, settings), {}),
    provenance: provenanceOf(sources),
    sources,
    machinePolicy: { didNotLoad },
  };
}

/** The CLI's own folder for user data. */
function configFolder(): string {
  return process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude');
}

async function fileSource(source: SettingSource, cwd: string): Promise<Source | undefined> {
  const path = {
    user: join(configFolder(), 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  }[source];
  const settings = await readSettings(path);
  return settings === undefined ? undefined : { source, settings, path };
}

function provenanceOf(sources: readonly Source[]): Record<string, ProvenanceEntry> {
  const entries = sources.flatMap(({ settings, ...from }) =>
    Object.keys(settings).map((key) => [key, from] as const),
  );
  return Object.fromEntries(entries);
}
