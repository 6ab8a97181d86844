import { plainLine } from '../util/plain.js';
import { isObject, type WireObject } from './frames.js';

/** The CLI's suggested rules in words: "Bash(ls:*), in this session". */
export function describeSuggestions(suggestions: readonly unknown[]): string {
  return suggestions.map((suggestion) => plainLine(describe(suggestion), 120)).join('; ');
}

function describe(suggestion: unknown): string {
  if (!isObject(suggestion)) return 'something this version does not know';
  return `${what(suggestion)}${where(suggestion)}`;
}

function what(suggestion: WireObject): string {
  const { type, rules, directories, mode, behavior } = suggestion;
  if (Array.isArray(rules)) {
    const list = rules.filter(isObject).map(ruleText).join(', ');
    return behavior === undefined || behavior === 'allow' ? list : `${behavior} ${list}`;
  }
  if (Array.isArray(directories)) return `work in ${directories.join(', ')}`;
  return typeof mode === 'string' ? `the mode ${mode}` : String(type);
}

function ruleText({ toolName, ruleContent }: WireObject): string {
  return ruleContent === undefined ? String(toolName) : `${toolName}(${ruleContent})`;
}

function where({ destination }: WireObject): string {
  if (typeof destination !== 'string') return '';
  return `, ${PLACES[destination] ?? `in ${destination}`}`;
}

const PLACES: Readonly<Record<string, string>> = {
  session: 'in this session',
  localSettings: 'in this folder, for you',
  projectSettings: 'in this folder, for everybody',
  userSettings: 'everywhere, for you',
};
