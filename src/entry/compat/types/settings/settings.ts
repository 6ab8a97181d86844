import type { EffortLevel } from '../option-types.js';
import type { HookSettings } from './hook-settings.js';
import type { InterfaceSettings } from './interface-settings.js';
import type { PluginSettings } from './plugin-settings.js';
import type { SandboxSettings } from './sandbox-settings.js';

/** Settings as in the CLI's own files. A newer CLI may know more keys. */
export interface Settings
  extends AccountSettings,
    AutonomySettings,
    FeatureSettings,
    HookSettings,
    InterfaceSettings,
    ManagedSettings,
    McpSettings,
    ModelSettings,
    PermissionSettings,
    PluginSettings {
  /** The address of a schema, for editors. */
  $schema?: string;
  /** Other keys that a CLI knows. */
  [key: string]: unknown;
}

/** Which tools may run, and where. */
export type PermissionSettings = {
  permissions?: {
    allow?: string[];
    ask?: string[];
    deny?: string[];
    defaultMode?: 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';
    additionalDirectories?: string[];
    workingDirectoriesAsGiven?: string[];
    blockReadsOutsideWorkingDirectories?: boolean;
    blockReadsExemptPaths?: string[];
    blockWritesOutsideWorkingDirectories?: boolean;
    denyInsteadOfPrompting?: boolean;
    disableAutoMode?: 'disable';
    disableBypassPermissionsMode?: 'disable';
    /** Other keys that a CLI knows. */
    [key: string]: unknown;
  };
  sandbox?: SandboxSettings;
  skipDangerousModePermissionPrompt?: boolean;
  skipAutoPermissionPrompt?: boolean;
  skipWebFetchPreflight?: boolean;
};

/** What the CLI decides on its own. */
export type AutonomySettings = {
  autoMode?: {
    allow?: string[];
    soft_deny?: string[];
    hard_deny?: string[];
    environment?: string[];
    classifyAllShell?: boolean;
  };
  disableAutoMode?: 'disable';
  useAutoModeDuringPlan?: boolean;
  askUserQuestionTimeout?: DialogTime;
  dialogExpiry?: DialogTime;
  autoContinueAtUsageLimit?: boolean;
  crossSessionInbound?: 'accept' | 'hold' | 'refuse';
  daemonColdStart?: 'ask' | 'transient';
  isolatePeerMachines?: boolean;
  teammateMode?: 'auto' | 'tmux' | 'iterm2' | 'in-process';
};

/** How long a dialog waits for the user. */
export type DialogTime = '60s' | '5m' | '10m' | 'never';

/** Which models are used, and how. */
export type ModelSettings = {
  model?: string;
  fallbackModel?: string[];
  advisorModel?: string;
  availableModels?: string[];
  availableModelsMatch?: 'exact' | 'prefix';
  enforceAvailableModels?: boolean;
  deniedModels?: string[];
  modelOverrides?: Record<string, string>;
  modelSettings?: Record<string, SettingsOfModel>;
  modelPicker?: {
    options: { model: string; label?: string; description?: string; behavesAs?: string }[];
    replaceBuiltInOptions?: boolean;
  };
  modelPricing?: {
    multiplier?: number;
    overrides?: Record<string, { input: number; output: number; cacheRead: number; cacheWrite: number }>;
  };
  switchModelsOnFlag?: boolean;
  effortLevel?: KeptEffort;
  maxEffortLevel?: EffortLevel;
  alwaysThinkingEnabled?: boolean;
  fastMode?: boolean;
  fastModePerSessionOptIn?: boolean;
  ultracode?: boolean;
  promptCacheTtl?: '5m' | '1h';
  subagentPromptCacheTtl?: '5m' | '1h';
  autoCompactEnabled?: boolean;
  autoCompactWindow?: number;
  idleCompaction?: boolean;
  precomputeCompactionEnabled?: boolean;
};

/** The settings of one model. */
export type SettingsOfModel = {
  effortLevel?: KeptEffort;
  maxEffortLevel?: EffortLevel;
  autoCompactWindow?: number | 'auto';
  /** Other keys that a CLI knows. */
  [key: string]: unknown;
};

/** The effort that can be written to a file. */
export type KeptEffort = Exclude<EffortLevel, 'max'>;

/** Which MCP servers are used. */
export type McpSettings = {
  enableAllProjectMcpServers?: boolean;
  enabledMcpjsonServers?: string[];
  disabledMcpjsonServers?: string[];
  disableClaudeAiConnectors?: boolean;
  allowAllClaudeAiMcps?: boolean;
  allowedMcpServers?: McpServerRule[];
  deniedMcpServers?: McpServerRule[];
  managedMcpServers?: Record<string, Record<string, unknown>>;
  allowManagedMcpServersOnly?: boolean;
  allowClaudeInChromeWithManagedMcp?: boolean;
};

/** Which servers a rule is about. */
export type McpServerRule = {
  serverName?: string;
  serverCommand?: [string, ...string[]];
  serverUrl?: string;
};

/** How the CLI signs in and reaches the model. */
export type AccountSettings = {
  apiKeyHelper?: string;
  proxyAuthHelper?: string;
  otelHeadersHelper?: string;
  awsAuthRefresh?: string;
  awsCredentialExport?: string;
  gcpAuthRefresh?: string;
  forceLoginMethod?: 'claudeai' | 'console' | 'gateway';
  forceLoginOrgUUID?: string | string[];
  forceLoginGatewayUrl?: string;
  gatewayInternalNetworks?: string[];
  allowedProviders?: (
    | 'anthropic'
    | 'anthropicAws'
    | 'bedrock'
    | 'customEndpoint'
    | 'foundry'
    | 'gateway'
    | 'mantle'
    | 'vertex'
  )[];
};

/** What an administrator decides. */
export type ManagedSettings = {
  policyHelper?: { path: string; timeoutMs?: number; refreshIntervalMs?: number };
  parentSettingsBehavior?: 'first-wins' | 'merge';
  managedSourcesBehavior?: 'first-wins' | 'merge';
  forceRemoteSettingsRefresh?: boolean;
  wslInheritsWindowsSettings?: boolean;
  allowManagedPermissionRulesOnly?: boolean;
  companyAnnouncements?: string[];
  minimumVersion?: string;
  requiredMinimumVersion?: string;
  requiredMaximumVersion?: string;
  disableDeepLinkRegistration?: 'disable';
  processWrapper?: string;
};

/** Parts of the CLI that can be turned on and off, and what they use. */
export type FeatureSettings = {
  agent?: string;
  env?: Record<string, string>;
  claudeMd?: string;
  claudeMdExcludes?: string[];
  outputStyle?: string;
  language?: string;
  attribution?: boolean | { commit?: string; pr?: string; sessionUrl?: boolean; [key: string]: unknown };
  attributionProject?: string;
  attributionProjectPolicy?: { default?: string };
  includeCoAuthoredBy?: boolean;
  includeGitInstructions?: boolean;
  respectGitignore?: boolean;
  plansDirectory?: string;
  worktree?: {
    baseRef?: 'fresh' | 'head';
    bgIsolation?: 'worktree' | 'none';
    location?: string;
    sparsePaths?: string[];
    symlinkDirectories?: string[];
  };
  skillOverrides?: Record<string, 'on' | 'name-only' | 'user-invocable-only' | 'off'>;
  skillListingBudgetFraction?: number;
  skillListingMaxDescChars?: number;
  disableBundledSkills?: boolean;
  disableSkillShellExecution?: boolean;
  syncClaudeAiPlugins?: boolean;
  syncClaudeAiSkills?: boolean;
  defaultShell?: 'bash' | 'powershell';
  disableWindowsBashCommandSplit?: boolean;
  respondToBashCommands?: boolean;
  bashEditDiffEnabled?: boolean;
  bashOutputMaxChars?: number;
  taskOutputMaxChars?: number;
  todoFeatureEnabled?: boolean;
  fileCheckpointingEnabled?: boolean;
  enableWorkflows?: boolean;
  disableWorkflows?: boolean;
  workflowKeywordTriggerEnabled?: boolean;
  workflowSizeGuideline?: 'unrestricted' | 'small' | 'medium' | 'large';
  enableArtifact?: boolean;
  disableArtifact?: boolean;
  disableAgentView?: boolean;
  disableReplyCheck?: boolean;
  autoMemoryEnabled?: boolean;
  autoMemoryDirectory?: string;
  autoDreamEnabled?: boolean;
  cleanupPeriodDays?: number;
  desktopSessionCleanupPeriodDays?: number;
  autoUploadSessions?: boolean;
  autoUpdatesChannel?: 'latest' | 'rc' | 'stable';
  disableRemoteControl?: boolean;
  remoteControlAtStartup?: boolean;
  remote?: { defaultEnvironmentId?: string };
  sshConfigs?: {
    id: string;
    name: string;
    sshHost: string;
    sshPort?: number;
    sshIdentityFile?: string;
    startDirectory?: string;
  }[];
  sshHostCommands?: unknown[];
};
