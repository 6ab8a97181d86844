/** Which settings files are loaded. */
export type SettingSource = 'user' | 'project' | 'local';

/** Settings as in the CLI's own files. Which keys there are is the CLI's to say. */
export interface Settings {
  /** What else a CLI knows. */
  // biome-ignore lint/suspicious/noExplicitAny: programs read keys that only the CLI knows the types of.
  [key: string]: any;
}

/** How commands are kept in a sandbox. */
export interface SandboxSettings {
  /** Whether there is one. */
  enabled?: boolean;
  /** Fails where there can be none. */
  failIfUnavailable?: boolean;
  /** What else a CLI knows. */
  // biome-ignore lint/suspicious/noExplicitAny: programs read keys that only the CLI knows the types of.
  [key: string]: any;
}

/** What sandboxed commands may reach. */
export type SandboxNetworkConfig = NonNullable<SandboxSettings['network']>;
/** Which files sandboxed commands may use. */
export type SandboxFilesystemConfig = NonNullable<SandboxSettings['filesystem']>;
/** Which credentials sandboxed commands may use. */
export type SandboxCredentialsConfig = NonNullable<SandboxSettings['credentials']>;
/** Violations that are passed over. */
export type SandboxIgnoreViolations = NonNullable<SandboxSettings['ignoreViolations']>;

/** What is wrong in a settings file. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** Where a setting comes from; `managed` is the policy of an organisation. */
export type ResolvedSettingSource = SettingSource | 'managed' | 'flag';

/** Where an administrator's settings come from. */
export type PolicySettingsOrigin = 'helper' | 'remote' | 'plist' | 'hklm' | 'file' | 'parent' | 'hkcu';

/** Where a setting comes from. */
export type ProvenanceEntry = {
  source: ResolvedSettingSource;
  path?: string;
  policyOrigin?: PolicySettingsOrigin;
};

/** What `resolveSettings` is told. */
export type ResolveSettingsOptions = {
  cwd?: string;
  settingSources?: SettingSource[];
  managedSettings?: Settings;
  serverManagedSettings?: Settings;
};

/** The settings that count, and where each comes from. */
export type ResolvedSettings = {
  effective: Settings;
  provenance: { [key: string]: ProvenanceEntry | undefined };
  /** From the weakest to the strongest. */
  sources: (ProvenanceEntry & { settings: Settings })[];
  /** The policies of this machine that were not looked at. */
  machinePolicy?: { didNotLoad: false | ('profile' | 'registry' | 'file')[] };
};

/** Which models a list denies, in their order. */
export type DeniedModelsMatch = { denied: boolean[]; warnings: string[] };
