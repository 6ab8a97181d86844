import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { HookMatcher } from './hook-types.js';

/** The events whose hooks can block something. A blocked Stop would make the model continue. */
const BLOCKABLE: ReadonlySet<HookEventName> = new Set<HookEventName>([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PermissionRequest',
]);

/** The events whose hooks are gates: by default a hook that fails or is late blocks. */
const GATES: ReadonlySet<HookEventName> = new Set<HookEventName>([
  'PreToolUse',
  'UserPromptSubmit',
  'PermissionRequest',
]);

/** Whether a failed hook of this event can block anything. */
export function canBlock(event: HookEventName): boolean {
  return BLOCKABLE.has(event);
}

/** Whether this hook blocks when it fails or is late. */
export function blocksOnFailure(event: HookEventName, { onFailure }: HookMatcher<never>): boolean {
  return canBlock(event) && (onFailure === undefined ? GATES.has(event) : onFailure === 'block');
}

/** The output that blocks, as every CLI version understands it. */
export function blockingOutput(event: HookEventName, reason: string): WireObject {
  if (event === 'PreToolUse') {
    const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
    return { hookSpecificOutput: { hookEventName: event, ...decision } };
  }
  if (event === 'PermissionRequest') {
    return { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: reason } } };
  }
  return { decision: 'block', reason };
}
