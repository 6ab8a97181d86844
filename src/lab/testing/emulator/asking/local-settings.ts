import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { PermissionRule, SessionState } from '../session-state.js';

/** The project's settings files that answers may change. The user's own file is left alone. */
const FILES: Readonly<Record<string, string>> = {
  localSettings: '.claude/settings.local.json',
  projectSettings: '.claude/settings.json',
};

/** Writes rules to the settings file that an answer names; a failing disk is no reason to stop. */
export function keepRules(
  { cwd }: SessionState,
  destination: unknown,
  rules: readonly PermissionRule[],
): void {
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
