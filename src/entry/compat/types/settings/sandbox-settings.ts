/** The sandbox for commands. */
export type SandboxSettings = {
  /** Whether it is enabled. */
  enabled?: boolean;
  /** Fails if it is not available. */
  failIfUnavailable?: boolean;
  autoAllowBashIfSandboxed?: boolean;
  allowUnsandboxedCommands?: boolean;
  excludedCommands?: string[];
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
  allowAppleEvents?: boolean;
  allowNestedUserNamespaces?: boolean;
  enableWeakerNestedSandbox?: boolean;
  enableWeakerNetworkIsolation?: boolean;
  ripgrep?: { command: string; args?: string[] };
  bwrapPath?: string;
  socatPath?: string;
  /** Other keys that a CLI knows. */
  [key: string]: unknown;
};

/** The network access of sandboxed commands. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[];
  deniedDomains?: string[];
  strictAllowlist?: boolean;
  allowManagedDomainsOnly?: boolean;
  allowLocalBinding?: boolean;
  allowUnixSockets?: string[];
  allowAllUnixSockets?: boolean;
  allowMachLookup?: string[];
  httpProxyPort?: number;
  socksProxyPort?: number;
  tlsTerminate?: { caCertPath?: string; caKeyPath?: string };
};

/** Which files sandboxed commands may use. */
export type SandboxFilesystemConfig = {
  disabled?: boolean;
  allowRead?: string[];
  denyRead?: string[];
  allowWrite?: string[];
  denyWrite?: string[];
  allowManagedReadPathsOnly?: boolean;
};

/** Which credentials sandboxed commands may use. */
export type SandboxCredentialsConfig = {
  files?: (HiddenCredential & { path: string; maskDuplicates?: boolean })[];
  envVars?: (HiddenCredential & { name: string })[];
  awsPairs?: { accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string }[];
  sigv4?: Partial<Record<'streaming' | 'presigned' | 'sigv4a', 'deny' | 'passthrough'>>;
  allowPlaintextInject?: boolean;
};

/** How a credential is kept from sandboxed commands. */
export type HiddenCredential = {
  mode: 'deny' | 'mask';
  extract?: string;
  onExtractNoMatch?: 'deny' | 'warn' | 'error';
  decode?: 'jwt';
  maskClaims?: string[];
  injectHosts?: string[];
};

/** Violations that are ignored. */
export type SandboxIgnoreViolations = Record<string, string[]>;
