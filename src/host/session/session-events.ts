import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { SessionState } from '../core/connection/state.js';
import type { PromptChange } from './prompts/open-prompts.js';
import type { ApiRetry } from './turns/api-retry.js';
import type { Turn } from './turns/turn.js';

/** What a session tells its listeners. */
export interface SessionEvents {
  readonly state: SessionState;
  readonly message: CliMessage;
  readonly unasked: Turn;
  readonly prompt: PromptChange;
  readonly diagnostic: Diagnostic;
  readonly retry: ApiRetry;
}
