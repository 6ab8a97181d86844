/** Which plugins and marketplaces are used. */
export type PluginSettings = {
  enabledPlugins?: Record<string, boolean | string[] | Record<string, unknown>>;
  prependPlugins?: string[];
  appendPlugins?: string[];
  pluginConfigs?: Record<string, PluginConfig | Record<string, unknown>>;
  pluginTrustMessage?: string;
  pluginSuggestionMarketplaces?: string[];
  strictPluginOnlyCustomization?: boolean | ('skills' | 'agents' | 'hooks' | 'mcp')[];
  disableCommandPluginSources?: boolean;
  disableSideloadFlags?: boolean;
  extraKnownMarketplaces?: Record<string, KnownMarketplace>;
  additionalMarketplaces?: Record<string, KnownMarketplace>;
  strictKnownMarketplaces?: MarketplaceSource[];
  allowedMarketplaces?: MarketplaceSource[];
  blockedMarketplaces?: MarketplaceSource[];
  channelsEnabled?: boolean;
  allowedChannelPlugins?: { marketplace: string; plugin: string }[];
};

/** The user's values for a plugin and its servers. */
export type PluginConfig = {
  options?: PluginValues;
  mcpServers?: Record<string, PluginValues>;
};

/** Values by name. */
export type PluginValues = Record<string, string | number | boolean | string[]>;

/** A marketplace that is known without being added. */
export type KnownMarketplace = {
  source: MarketplaceSource;
  installLocation?: string;
  autoUpdate?: boolean;
  pluginDigests?: Record<string, string[]>;
};

/** Where a marketplace comes from, or which marketplaces a rule is about. */
export type MarketplaceSource =
  | { source: 'url'; url: string; headers?: Record<string, string>; headersHelper?: string }
  | ({ source: 'github'; repo: string } & Checkout)
  | ({ source: 'git'; url: string } & Checkout)
  | NpmSource
  | { source: 'file'; path: string }
  | { source: 'directory'; path: string }
  | { source: 'skills-dir' }
  | { source: 'hostPattern'; hostPattern: string }
  | { source: 'pathPattern'; pathPattern: string }
  | {
      source: 'settings';
      name: string;
      plugins: ListedPlugin[];
      owner?: { name: string; email?: string; url?: string };
    };

/** Which part of a repository is used. */
export type Checkout = { ref?: string; path?: string; sparsePaths?: string[]; skipLfs?: boolean };

/** A package of npm. */
export type NpmSource = { source: 'npm'; package: string; version?: string; registry?: string };

/** A plugin of a marketplace that is written in the settings. */
export type ListedPlugin = {
  name: string;
  source: string | PluginSource;
  description?: string;
  version?: string;
  strict?: boolean;
  engines?: Record<string, unknown>;
  headers?: Record<string, string>;
  headersHelper?: string;
};

/** Where a plugin comes from. */
export type PluginSource =
  | NpmSource
  | { source: 'url'; url: string; ref?: string; sha?: string }
  | { source: 'github'; repo: string; ref?: string; sha?: string }
  | { source: 'git-subdir'; url: string; path: string; ref?: string; sha?: string }
  | { source: 'archive'; url: string; sha256?: string }
  | { source: 'command'; command: string; timeout?: number; mode?: 'copy' | 'link' }
  | { source: 'unsupported'; error?: string };
