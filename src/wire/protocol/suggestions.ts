import { plainLine } from '../util/plain.js';
import { isObject, type WireObject } from './frames.js';

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

function what({ type, rules, directories, mode, behavior }: WireObject): string {
  if (type === 'setMode') return `Switch to the mode ${String(mode)}${MODES[String(mode)] ?? ''}`;
  const verb = VERBS[String(type)];
  if (verb !== undefined && Array.isArray(rules)) {
    const list = rules.filter(isObject).map(ruleText).join(', ');
    return verb === '' ? `${BEHAVIORS[String(behavior)] ?? String(behavior)} ${list}` : `${verb} ${list}`;
  }
  if (verb !== undefined && Array.isArray(directories)) return `${verb} ${directories.join(', ')}`;
  return `Apply the CLI's ${String(type)}, which this version does not know,`;
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
