import { Cancellation } from '../../../wire/peer/cancellation.js';
import { isObject } from '../../../wire/protocol/frames.js';
import type { OpenPrompts } from '../prompts/open-prompts.js';
import { allowOnce, type DeniedCall, type SecondDecision } from './allow-once.js';
import type { Hooks } from './hook-types.js';

/** What {@link askingWhenDenied} needs from its session. */
export interface Asking {
  readonly prompts: Pick<OpenPrompts, 'askAgain'>;
  /** Ends the turn: a prompt was denied in that way. */
  readonly interrupt: () => void;
}

/** The hooks of a program, and after them those that ask about denied calls as permission prompts. */
export function askingWhenDenied(hooks: Hooks = {}, asking: Asking): Hooks {
  const own = allowOnce((call) => askAgain(call, asking));
  return {
    ...hooks,
    PermissionDenied: [...(hooks.PermissionDenied ?? []), ...(own.PermissionDenied ?? [])],
    PreToolUse: [...(hooks.PreToolUse ?? []), ...(own.PreToolUse ?? [])],
  };
}

async function askAgain(
  { tool, input, toolUseId, reason, signal }: DeniedCall,
  { prompts, interrupt }: Asking,
): Promise<SecondDecision> {
  // Nothing would tell its answer from that of another call.
  if (toolUseId === undefined) return false;
  const withdrawal = new Cancellation();
  signal.addEventListener('abort', () => withdrawal.cancel(signal.reason), { once: true });
  const call = { tool_name: tool, input, tool_use_id: toolUseId, decision_reason: reason };
  const answer = await prompts.askAgain(call, { id: `denied-${toolUseId}`, withdrawal, signal });
  if (answer.interrupt === true) interrupt();
  if (answer.behavior !== 'allow') return false;
  const { updatedInput } = answer;
  return isObject(updatedInput) && updatedInput !== input ? { input: updatedInput } : true;
}
