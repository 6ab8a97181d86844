import { plain, plainLine } from '../util/plain.js';
import { isObject, type WireObject } from './frames.js';
import { modeName } from './mode-names.js';

/**
 * Where a choice is remembered: for this session, in this folder for you, in the project for everyone, or everywhere
 * for you.
 */
export type PermissionScope = 'session' | 'folder' | 'project' | 'user';

/** The scopes as the wire names them. */
export const DESTINATIONS = {
  session: 'session',
  folder: 'localSettings',
  project: 'projectSettings',
  user: 'userSettings',
} as const satisfies Record<PermissionScope, string>;

/** Where the CLI itself would remember a suggestion. */
export function scopeOf({ destination }: WireObject): PermissionScope | undefined {
  const scopes = Object.keys(DESTINATIONS) as PermissionScope[];
  return scopes.find((scope) => DESTINATIONS[scope] === destination);
}

/** What it means to remember a suggestion, as a sentence for people: "Allow Bash(ls:*) for the rest of this session." */
export function describeSuggestion(suggestion: WireObject, scope: PermissionScope): string {
  return `${plainLine(what(suggestion), 200)} ${PLACES[scope]}.`;
}

/** What it means to remember a suggestion, in a few words for a menu: "ls:* · this session". */
export function labelSuggestion(suggestion: WireObject, scope: PermissionScope): string {
  const [first = String(suggestion.type), ...others] = rulesIn(suggestion).map(shortRule);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${KEPT[String(suggestion.type)] ?? ''}${plainLine(first, 40)}${more} · ${SHORT_PLACES[scope]}`;
}

/** What a suggestion changes, exactly and in full: its rules, folders or mode. */
export function exactly(suggestion: WireObject): readonly string[] {
  return rulesIn(suggestion).map((each) => plain(typeof each === 'string' ? each : ruleText(each)));
}

function rulesIn({ rules, directories, mode }: WireObject): readonly (WireObject | string)[] {
  if (Array.isArray(rules)) return rules.filter(isObject);
  if (Array.isArray(directories)) return directories.map(String);
  return mode === undefined ? [] : [modeName(String(mode))];
}

/** A command is known by its text alone. */
function shortRule(rule: WireObject | string): string {
  if (typeof rule === 'string') return rule;
  return rule.toolName === 'Bash' && rule.ruleContent !== undefined
    ? String(rule.ruleContent)
    : ruleText(rule);
}

/** Changes that are not an allowed rule. */
const KEPT: Readonly<Record<string, string>> = {
  replaceRules: 'Only ',
  removeRules: 'Without ',
  addDirectories: 'Work in ',
  removeDirectories: 'Keep out of ',
};

const SHORT_PLACES: Readonly<Record<PermissionScope, string>> = {
  session: 'this session',
  folder: 'this folder, for you',
  project: 'this project, for everyone',
  user: 'everywhere, for you',
};

function what({ type, rules, directories, mode, behavior }: WireObject): string {
  if (type === 'setMode') return `Switch to ${modeText(String(mode))}${MODES[String(mode)] ?? ''}`;
  const verb = VERBS[String(type)];
  if (verb !== undefined && Array.isArray(rules)) {
    const list = rules.filter(isObject).map(ruleText).join(', ');
    return verb === '' ? `${BEHAVIORS[String(behavior)] ?? String(behavior)} ${list}` : `${verb} ${list}`;
  }
  if (verb !== undefined && Array.isArray(directories)) return `${verb} ${directories.join(', ')}`;
  return `Apply the CLI's ${String(type)}, which this version does not know,`;
}

/** The name that people see, and the CLI's own. */
function modeText(mode: string): string {
  const name = modeName(mode);
  return name === mode ? `the mode ${mode}` : `“${name}” (${mode})`;
}

function ruleText({ toolName, ruleContent }: WireObject): string {
  return ruleContent === undefined ? String(toolName) : `${toolName}(${ruleContent})`;
}

const VERBS: Readonly<Record<string, string>> = {
  addRules: '',
  replaceRules: 'Replace all such rules with',
  removeRules: 'Remove the rule for',
  addDirectories: 'Let the CLI work in',
  removeDirectories: 'Keep the CLI out of',
};

const BEHAVIORS: Readonly<Record<string, string>> = { allow: 'Allow', deny: 'Deny', ask: 'Always ask about' };

/** What a mode allows, for the modes that allow more than the one that asks. */
const MODES: Readonly<Record<string, string>> = {
  acceptEdits: ', which changes files without asking,',
  bypassPermissions: ', which runs everything without asking,',
  auto: ', in which the CLI decides on its own,',
};

const PLACES: Readonly<Record<PermissionScope, string>> = {
  session: 'for the rest of this session',
  folder: 'in this folder from now on, for you',
  project: 'in this project from now on, for everyone',
  user: 'everywhere from now on, for you',
};
