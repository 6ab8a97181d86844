import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';
import type { PermissionRule, SessionState } from '../session-state.js';
import { keepRules } from './local-settings.js';

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
