import type { Settings } from './settings/settings.js';

/** Which settings files are loaded. */
export type SettingSource = 'user' | 'project' | 'local';

/** A problem in a settings file. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** The source of a setting; `managed` is the policy of an organisation. */
export type ResolvedSettingSource = SettingSource | 'managed' | 'flag';

/** The source of administrator settings. */
export type PolicySettingsOrigin = 'helper' | 'remote' | 'plist' | 'hklm' | 'file' | 'parent' | 'hkcu';

/** The source of a setting. */
export type ProvenanceEntry = {
  source: ResolvedSettingSource;
  path?: string;
  policyOrigin?: PolicySettingsOrigin;
};

/** The options of `resolveSettings`. */
export type ResolveSettingsOptions = {
  cwd?: string;
  settingSources?: SettingSource[];
  managedSettings?: Settings;
  serverManagedSettings?: Settings;
};

/** The effective settings, and the source of each. */
export type ResolvedSettings = {
  effective: Settings;
  provenance: { [key: string]: ProvenanceEntry | undefined };
  /** From the weakest to the strongest. */
  sources: (ProvenanceEntry & { settings: Settings })[];
  /** The policies of this machine that were not examined. */
  machinePolicy?: { didNotLoad: false | ('profile' | 'registry' | 'file')[] };
};

/** Which models a list denies, in their order. */
export type DeniedModelsMatch = { denied: boolean[]; warnings: string[] };
