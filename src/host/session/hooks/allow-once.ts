import type { HookInput } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { HookContext, Hooks } from './hook-types.js';

/** A tool call that the CLI's own check has denied in auto mode. */
export interface DeniedCall {
  /** The tool. */
  readonly tool: string;
  /** The id of the call. */
  readonly toolUseId: string | undefined;
  /** The input of the call. */
  readonly input: unknown;
  /** Why, in the words of the CLI. */
  readonly reason: string;
  /** Aborts when the CLI no longer waits for the decision. */
  readonly signal: AbortSignal;
}

/** Whether a denied call may be made once, and if it is to run with another input, with which. */
export type SecondDecision = boolean | { readonly input: WireObject };

/** Options of {@link allowOnce}. */
export interface AllowOnceOptions {
  /** How long a decision may take, in milliseconds; then the call stays denied. Default: 10 minutes. */
  readonly timeoutMs?: number | undefined;
}

const TEN_MINUTES_MS = 10 * 60_000;
/** How many allowed calls are remembered until the model makes them. */
const MOST = 100;

/**
 * Hooks that ask about calls which the CLI's own check denies in auto mode. If `decide` allows one, the model is told that
 * it may try again, and the same call (same tool, same input) runs once without the check. Old CLIs do not ask.
 */
export function allowOnce(
  decide: (call: DeniedCall) => SecondDecision | Promise<SecondDecision>,
  { timeoutMs = TEN_MINUTES_MS }: AllowOnceOptions = {},
): Pick<Hooks, 'PermissionDenied' | 'PreToolUse'> {
  const allowed = new RecentMap<string, SecondDecision>(MOST);
  const onDenied = async (input: HookInput<'PermissionDenied'>, { signal, toolUseId }: HookContext) => {
    const { tool_name: tool, tool_input, reason } = input;
    const decision = await decide({ tool, toolUseId, input: tool_input, reason, signal });
    if (decision === false || signal.aborted) return undefined;
    allowed.set(keyOf(tool, tool_input), decision);
    return { hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } } as const;
  };
  const beforeCall = ({ tool_name, tool_input }: HookInput<'PreToolUse'>) => {
    const key = keyOf(tool_name, tool_input);
    const allowance = allowed.get(key) ?? false;
    if (allowance === false) return undefined;
    allowed.set(key, false);
    const decision = {
      permissionDecision: 'allow',
      permissionDecisionReason: 'It was allowed once.',
      ...(allowance === true ? {} : { updatedInput: allowance.input }),
    } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } } as const;
  };
  return {
    PermissionDenied: [{ run: onDenied, timeoutMs }],
    // If it fails, the call is checked like any other.
    PreToolUse: [{ run: beforeCall, onFailure: 'continue' }],
  };
}

function keyOf(tool: string, input: unknown): string {
  return JSON.stringify([tool, input]);
}
