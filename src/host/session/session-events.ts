import type { WireObject } from '../../wire/protocol/frames.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import type { SessionState } from '../core/connection/state.js';
import type { PromptChange } from './prompts/open-prompts.js';
import type { Turn } from './turns/turn.js';

/** What a session tells its listeners. */
export interface SessionEvents extends Record<string, unknown> {
  readonly state: SessionState;
  readonly message: WireObject;
  readonly unasked: Turn;
  readonly prompt: PromptChange;
  readonly diagnostic: Diagnostic;
}
