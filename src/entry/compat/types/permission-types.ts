import type { SDKSettingsParseError } from './setting-types.js';

/** Tools that run without asking. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';
/** The effect of a rule. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';
/** How permanent a user's decision is. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';
/** Where a rule change is stored. */
export type PermissionUpdateDestination =
  | 'userSettings'
  | 'projectSettings'
  | 'localSettings'
  | 'session'
  | 'cliArg';

/** A rule: a tool, and which of its calls. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string };

/** A change of rules, mode or folders. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** The decision of `canUseTool`. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      message: string;
      interrupt?: boolean;
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/** A rule as text. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

/** A rule about tools, and whether it can be changed. */
export type SDKPermissionRuleEntry = {
  behavior: PermissionBehavior;
  source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential';
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A folder that tools may work in. */
export type SDKPermissionWorkspaceDirectory = { path: string; source: string };

/** All rules about tools. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** The rules, and where they come from. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };
