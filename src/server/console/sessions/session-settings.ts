import type { SessionOptions } from '../../../host/session/session-options.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { kinds } from '../../../wire/util/option-checks.js';

/** What was set in a session while it runs. Older CLIs tell none of it, and none tells its cap on thinking. */
export interface Setting {
  readonly model?: string;
  readonly permissionMode?: string;
  /** Null where there is no cap any more. */
  readonly maxThinkingTokens?: number | null;
}

/** What a control request that was answered has set. */
export function settingOf(subtype: string, params: WireObject): Setting {
  const { model, mode, max_thinking_tokens: tokens } = params;
  if (subtype === 'set_model' && typeof model === 'string') return { model };
  if (subtype === 'set_permission_mode' && typeof mode === 'string') return { permissionMode: mode };
  if (subtype !== 'set_max_thinking_tokens') return {};
  // Anything else is no cap, and could not be given to the next CLI.
  return { maxThinkingTokens: kinds.count.accepts(tokens) ? Number(tokens) : null };
}

/** Options with another cap on thinking, or, with null, with none. */
export function withThinkingCap(options: SessionOptions, cap: number | null | undefined): SessionOptions {
  if (cap === undefined) return options;
  const { thinking: _thinking, maxThinkingTokens: _cap, ...rest } = options;
  return cap === null ? rest : { ...rest, maxThinkingTokens: cap };
}

/** The cap on thinking that options say. */
export function thinkingCapOf({ thinking, maxThinkingTokens }: SessionOptions): number | undefined {
  if (thinking?.type === 'disabled') return 0;
  return maxThinkingTokens ?? (thinking?.type === 'enabled' ? thinking.budgetTokens : undefined);
}
