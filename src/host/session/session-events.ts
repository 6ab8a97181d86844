import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { ApiRetry } from '../../wire/protocol/reading/api-retry.js';
import type { PlanLimits } from '../../wire/protocol/reading/plan-limits.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { SessionState } from '../core/connection/state.js';
import type { Denial } from './prompts/denials.js';
import type { PromptChange } from './prompts/open-prompts.js';
import type { Turn } from './turns/turn.js';

/** A turn that was just sent, or that the CLI started. */
export interface TurnStart {
  /** The turn. */
  readonly turn: Turn;
  /** The sent content; undefined for a turn that the CLI started. */
  readonly content: unknown;
}

/** The events of a session. */
export interface SessionEvents {
  /** The state changed. */
  readonly state: SessionState;
  /** A message of the CLI. */
  readonly message: CliMessage;
  /** A message was sent, or the CLI started a turn. */
  readonly turn: TurnStart;
  /** The CLI started a turn. */
  readonly unasked: Turn;
  /** A prompt was opened or settled. */
  readonly prompt: PromptChange;
  /** A diagnostic. */
  readonly diagnostic: Diagnostic;
  /** A model call failed and will be retried. */
  readonly retry: ApiRetry;
  /** The CLI refused a tool call without asking anybody. Old CLIs do not report it. */
  readonly denial: Denial;
  /** The CLI reported the usage limits of its account. */
  readonly limits: PlanLimits;
}
