import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';
import type { PermissionRule, SessionState } from '../session-state.js';

/** The rule that decides a call, if there is one; a denial wins. */
export function ruleFor(
  { rules, settings }: SessionState,
  { name, input }: { readonly name: string; readonly input: WireObject },
): PermissionRule | undefined {
  const fitting = [...rules, ...settingsRules(settings)].filter(
    (rule) => rule.toolName === name && covers(rule.ruleContent, input),
  );
  return (
    fitting.find(({ behavior }) => behavior === 'deny') ??
    fitting.find(({ behavior }) => behavior === 'allow')
  );
}

/** The rules from applied settings: `Bash`, `Bash(git:*)`. */
function settingsRules({ permissions }: WireObject): readonly PermissionRule[] {
  if (!isObject(permissions)) return [];
  return ['deny', 'allow'].flatMap((behavior) => {
    const texts = Array.isArray(permissions[behavior]) ? permissions[behavior] : [];
    return texts.flatMap((text) => {
      const [, toolName, ruleContent] = /^([^()]+)(?:\((.*)\))?$/.exec(String(text)) ?? [];
      return toolName === undefined ? [] : [{ toolName, ruleContent, behavior }];
    });
  });
}

/**
 * Applies the `updatedPermissions` of an answer; false if a CLI would refuse the whole answer because of
 * them.
 */
export function applyUpdates({ state, traits }: Cli, updates: unknown): boolean {
  if (!Array.isArray(updates) || !updates.every(isUpdate)) return traits.passesOverBadUpdates;
  for (const update of updates) applyUpdate(state, update);
  return true;
}

function isUpdate(update: unknown): update is WireObject {
  return isObject(update) && typeof update.type === 'string' && typeof update.destination === 'string';
}

function applyUpdate(state: SessionState, update: WireObject): void {
  if (update.type === 'setMode' && typeof update.mode === 'string') state.permissionMode = update.mode;
  if (update.type !== 'addRules' || !Array.isArray(update.rules)) return;
  const rules = update.rules.filter(isObject).flatMap(({ toolName, ruleContent }) => {
    if (typeof toolName !== 'string') return [];
    const content = typeof ruleContent === 'string' ? ruleContent : undefined;
    return [{ toolName, ruleContent: content, behavior: String(update.behavior) }];
  });
  state.rules.push(...rules);
  keepRules(state, update.destination, rules);
}

function covers(content: string | undefined, { command }: WireObject): boolean {
  if (content === undefined) return true;
  if (typeof command !== 'string') return false;
  return content.endsWith(':*') ? command.startsWith(content.slice(0, -2)) : command === content;
}

/** The project's settings files that answers may change. The user's own file is left alone. */
const FILES: Readonly<Record<string, string>> = {
  localSettings: '.claude/settings.local.json',
  projectSettings: '.claude/settings.json',
};

/** Writes rules to the settings file that an answer names; a failing disk is no reason to stop. */
function keepRules({ cwd }: SessionState, destination: unknown, rules: readonly PermissionRule[]): void {
  const file = FILES[String(destination)];
  // An in-memory session's folder need not exist.
  if (file === undefined || rules.length === 0 || !existsSync(cwd)) return;
  const path = join(cwd, file);
  try {
    const settings = readSettings(path);
    const permissions: Record<string, unknown> = isObject(settings.permissions)
      ? { ...settings.permissions }
      : {};
    for (const rule of rules) {
      const before = permissions[rule.behavior];
      permissions[rule.behavior] = [...new Set([...(Array.isArray(before) ? before : []), ruleText(rule)])];
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ ...settings, permissions }, null, 2)}\n`);
  } catch {
    // The rule applies to the session anyway.
  }
}

function readSettings(path: string): WireObject {
  const settings: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return isObject(settings) ? settings : {};
}

function ruleText({ toolName, ruleContent }: PermissionRule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}
