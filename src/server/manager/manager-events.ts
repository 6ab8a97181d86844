import type { PromptChange } from '../../host/session/prompts/open-prompts.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { LoginLimits } from '../../wire/protocol/reading/plan-limits.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { ConversationState } from '../conversation/states.js';
import type { BudgetPrompt } from './money/budget-prompt.js';

/** The events of a manager; each names its conversation. */
export interface ManagerEvents extends Record<string, unknown> {
  /** The state of a conversation changed. */
  readonly state: { readonly conversation: string; readonly state: ConversationState };
  /** A message of a CLI. */
  readonly message: { readonly conversation: string; readonly message: WireObject };
  /** A message settled, including messages sent before a restart. */
  readonly turn: { readonly conversation: string; readonly messageId: string; readonly outcome: TurnOutcome };
  /** The CLI started a turn. */
  readonly unasked: { readonly conversation: string; readonly turn: Turn };
  /** A prompt was opened or settled. */
  readonly prompt: { readonly conversation: string } & PromptChange;
  /** A CLI reported the usage limits of its login. */
  readonly limits: { readonly conversation: string; readonly limits: LoginLimits };
  /** A budget is spent. */
  readonly budget: { readonly conversation: string; readonly prompt: BudgetPrompt };
  /** The tool call of a kept prompt was not repeated. */
  readonly 'not-repeated': { readonly conversation: string; readonly promptId: string };
  /** A diagnostic; `conversation` is empty if it is about none. */
  readonly diagnostic: { readonly conversation: string; readonly diagnostic: Diagnostic };
}
