import { isObject, type WireObject } from '../../../wire/protocol/frames.js';

/** Whether a value of a setting removes rights; or the same for nested settings. */
type Rule = ((value: unknown) => boolean) | { readonly [key: string]: Rule };

/**
 * What a program may add to policy: only what removes rights. An object that becomes empty is left out.
 * The keys are those that the official SDK was seen to keep.
 */
export function restrictive(settings: WireObject): WireObject {
  const kept = Object.entries(limits(settings, RULES));
  return Object.fromEntries(kept.map(([key, value]) => [SAME_AS[key] ?? key, value]));
}

/** A setting that a program may not set becomes the closest one it may: an administrator's hooks always run. */
const SAME_AS: Readonly<Record<string, string>> = {
  disableAllHooks: 'allowManagedHooksOnly',
  allowedMarketplaces: 'strictKnownMarketplaces',
};

function limits(settings: WireObject, rules: Readonly<Record<string, Rule>>): WireObject {
  const kept = Object.entries(settings).flatMap(([key, value]) => {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) return [];
    if (typeof rule === 'function') return rule(value) ? [[key, value] as const] : [];
    const within = isObject(value) ? limits(value, rule) : {};
    return Object.keys(within).length === 0 ? [] : [[key, within] as const];
  });
  return Object.fromEntries(kept);
}

const always = () => true;
const whenOn = (value: unknown) => value !== false;
const whenOff = (value: unknown) => value !== true;
const list = (value: unknown) => Array.isArray(value);
const filled = (value: unknown) => Array.isArray(value) && value.length > 0;
/** A list of allowed items is restrictive only if it is empty: lists of several sources are concatenated. */
const empty = (value: unknown) => Array.isArray(value) && value.length === 0;

const RULES: Readonly<Record<string, Rule>> = {
  ...all(always, ['availableModels', 'availableModelsMatch', 'allowedMcpServers', 'strictKnownMarketplaces']),
  ...all(always, ['allowedMarketplaces', 'forceLoginOrgUUID', 'allowedProviders']),
  ...all(whenOn, [
    'enforceAvailableModels',
    'disableClaudeAiConnectors',
    'disableAllHooks',
    'disableAgentView',
  ]),
  ...all(whenOn, [
    'disableRemoteControl',
    'disableWorkflows',
    'disableArtifact',
    'disableSkillShellExecution',
  ]),
  ...all(whenOn, ['disableWindowsBashCommandSplit', 'disableCommandPluginSources', 'disableSideloadFlags']),
  ...all(whenOn, ['allowManagedHooksOnly', 'allowManagedPermissionRulesOnly', 'allowManagedMcpServersOnly']),
  ...all(whenOn, ['disableAutoMode', 'strictPluginOnlyCustomization']),
  ...all(whenOff, ['syncClaudeAiSkills', 'syncClaudeAiPlugins', 'enableArtifact', 'enableWorkflows']),
  ...all(filled, ['deniedModels', 'blockedMarketplaces']),
  ...all(empty, ['allowedHttpHookUrls', 'httpHookAllowedEnvVars']),
  deniedMcpServers: list,
  permissions: {
    ...all(list, ['allow', 'deny', 'ask', 'additionalDirectories']),
    ...all(whenOn, ['disableBypassPermissionsMode', 'disableAutoMode', 'denyInsteadOfPrompting']),
    ...all(whenOn, ['blockReadsOutsideWorkingDirectories', 'blockWritesOutsideWorkingDirectories']),
  },
  sandbox: {
    ...all(whenOn, ['enabled', 'failIfUnavailable']),
    ...all(whenOff, ['autoAllowBashIfSandboxed', 'allowUnsandboxedCommands', 'enableWeakerNestedSandbox']),
    ...all(whenOff, ['allowNestedUserNamespaces', 'enableWeakerNetworkIsolation', 'allowAppleEvents']),
    network: {
      ...all(list, ['allowedDomains', 'deniedDomains']),
      ...all(whenOn, ['strictAllowlist', 'allowManagedDomainsOnly']),
      ...all(whenOff, ['allowAllUnixSockets', 'allowLocalBinding']),
    },
    filesystem: {
      ...all(list, ['denyWrite', 'denyRead', 'allowRead']),
      allowManagedReadPathsOnly: whenOn,
      disabled: whenOff,
    },
    credentials: all(list, ['files', 'envVars']),
  },
};

function all(rule: Rule, keys: readonly string[]): Readonly<Record<string, Rule>> {
  return Object.fromEntries(keys.map((key) => [key, rule]));
}
