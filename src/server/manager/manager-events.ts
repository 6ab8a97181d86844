import type { PromptChange } from '../../host/session/prompts/open-prompts.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { ConversationState } from './manager-options.js';
import type { BudgetPrompt } from './money/budget-prompt.js';

/** What a manager tells its listeners; each value names the conversation. */
export interface ManagerEvents extends Record<string, unknown> {
  /** A conversation does something else now. */
  readonly state: { readonly conversation: string; readonly state: ConversationState };
  /** A message of a CLI. */
  readonly message: { readonly conversation: string; readonly message: WireObject };
  /** A message settled, also one that was sent before a restart. */
  readonly turn: { readonly conversation: string; readonly messageId: string; readonly outcome: TurnOutcome };
  /** A turn began that nobody asked for. */
  readonly unasked: { readonly conversation: string; readonly turn: Turn };
  /** A prompt came up or was settled. */
  readonly prompt: { readonly conversation: string } & PromptChange;
  /** A budget is spent. */
  readonly budget: { readonly conversation: string; readonly prompt: BudgetPrompt };
  /** The tool call that a kept prompt was about did not come again. */
  readonly 'not-repeated': { readonly conversation: string; readonly promptId: string };
  /** Something worth knowing that is not an error. */
  readonly diagnostic: { readonly conversation: string; readonly diagnostic: Diagnostic };
}
