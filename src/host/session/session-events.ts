import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { SessionState } from '../core/connection/state.js';
import type { PromptChange } from './prompts/open-prompts.js';
import type { ApiRetry } from './turns/api-retry.js';
import type { Turn } from './turns/turn.js';

/** A turn that was just sent, or that the CLI began by itself. */
export interface TurnStart {
  /** The turn. */
  readonly turn: Turn;
  /** What was sent; undefined for a turn that nobody asked for. */
  readonly content: unknown;
}

/** What a session tells its listeners. */
export interface SessionEvents {
  /** The session does something else now. */
  readonly state: SessionState;
  /** A message of the CLI. */
  readonly message: CliMessage;
  /** A message was sent, or a turn began that nobody asked for. */
  readonly turn: TurnStart;
  /** A turn began that nobody asked for. */
  readonly unasked: Turn;
  /** A prompt came up or was settled. */
  readonly prompt: PromptChange;
  /** Something worth knowing that is not an error. */
  readonly diagnostic: Diagnostic;
  /** A model call failed and will be retried. */
  readonly retry: ApiRetry;
}
