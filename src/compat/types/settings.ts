export type SettingSource = 'user' | 'project' | 'local';

/** Settings as in the CLI's own files. Which keys there are is the CLI's to say. */
export interface Settings {
  // biome-ignore lint/suspicious/noExplicitAny: programs read keys that only the CLI knows the types of.
  [key: string]: any;
}

export interface SandboxSettings {
  enabled?: boolean;
  failIfUnavailable?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as with settings.
  [key: string]: any;
}
