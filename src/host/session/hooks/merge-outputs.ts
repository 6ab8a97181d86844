import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';

/** Decisions from the weakest to the strongest; if hooks differ, the strongest counts. */
const DECISIONS: readonly unknown[] = ['allow', 'approve', 'ask', 'defer', 'deny', 'block'];

/** The keys that decide, each with the key of its reason. */
const REASONS: Readonly<Record<string, string>> = {
  permissionDecision: 'permissionDecisionReason',
  decision: 'reason',
  behavior: 'message',
};

/** Texts that are all passed on, one per line. */
const TOLD: ReadonlySet<string> = new Set(['systemMessage', 'additionalContext', 'classifierContext']);

/** Merges the answers of an event's hooks, in order. */
export function mergeOutputs(event: HookEventName, outputs: readonly WireObject[]): WireObject {
  // A hook that reports later has no output now.
  const now = outputs.filter((output) => output.async !== true);
  const [first = {}, ...others] = now.length === 0 ? outputs : now;
  if (others.length === 0) return first;
  return event === 'PreToolUse'
    ? [first, ...others].map(inOneWay).reduce(merge)
    : others.reduce(merge, first);
}

/** Decisions about a tool call have two forms, and a CLI that gets both uses the second. */
function inOneWay({ decision, reason, ...output }: WireObject): WireObject {
  if (decision === undefined) return { ...output, ...(reason === undefined ? {} : { reason }) };
  const permissionDecision = decision === 'block' ? 'deny' : 'allow';
  const said = {
    hookEventName: 'PreToolUse',
    permissionDecision,
    ...(reason === undefined ? {} : { permissionDecisionReason: reason }),
  };
  const { hookSpecificOutput: specific } = output;
  return { ...output, hookSpecificOutput: isObject(specific) ? merge(said, specific) : said };
}

/** The input as a hook changed it, for the next one. */
export function changedInput(event: HookEventName, input: WireObject, output: WireObject): WireObject {
  const specific = part(output, 'hookSpecificOutput');
  if (event === 'PostToolUse') {
    const { updatedToolOutput: tool_response = specific.updatedMCPToolOutput } = specific;
    return tool_response === undefined ? input : { ...input, tool_response };
  }
  const { updatedInput: tool_input } = event === 'PermissionRequest' ? part(specific, 'decision') : specific;
  return tool_input === undefined ? input : { ...input, tool_input };
}

function merge(before: WireObject, next: WireObject): WireObject {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(next)) {
    if (value !== undefined) merged[key] = before[key] === undefined ? value : both(key, before[key], value);
  }
  for (const [decision, reason] of Object.entries(REASONS)) {
    if (typeof merged[decision] !== 'string') continue;
    const deciders = [before, next].filter((output) => output[decision] === merged[decision]);
    const texts = deciders.flatMap((output) => output[reason] ?? []);
    if (texts.length > 0) merged[reason] = texts.join('\n');
    else delete merged[reason];
  }
  if (merged.behavior !== 'deny') return merged;
  const { updatedInput: _input, updatedPermissions: _permissions, ...denied } = merged;
  return denied;
}

function both(key: string, before: unknown, next: unknown): unknown {
  if (isObject(before) && isObject(next) && (key === 'hookSpecificOutput' || key === 'decision'))
    return merge(before, next);
  if (key === 'continue') return before === true && next === true;
  if (Object.hasOwn(REASONS, key)) return DECISIONS.indexOf(next) > DECISIONS.indexOf(before) ? next : before;
  if (TOLD.has(key)) return `${before}\n${next}`;
  if (Array.isArray(before) && Array.isArray(next)) return [...before, ...next];
  return next;
}

function part(value: WireObject, key: string): WireObject {
  const inner = value[key];
  return isObject(inner) ? inner : {};
}
