import type { WireObject } from '../protocol/frames.js';
import type { Diagnostic } from '../util/diagnostics.js';
import type { PromptChange } from './prompts/prompt-book.js';
import type { SessionState } from './state.js';
import type { Turn } from './turn.js';

/** What a session tells its listeners. */
export interface SessionEvents extends Record<string, unknown> {
  readonly state: SessionState;
  readonly message: WireObject;
  readonly unasked: Turn;
  readonly prompt: PromptChange;
  readonly diagnostic: Diagnostic;
}
