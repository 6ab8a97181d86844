import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import type { ModelError } from './model-stream.js';

/** A conversation with the model: the session's, or a sub-agent's. */
export interface Conversation {
  readonly system: string;
  /** The messages so far; it grows. */
  readonly messages: WireObject[];
}

/** How a conversation ended. */
export type LoopEnd =
  | { readonly kind: 'done' | 'max-turns' | 'budget' | 'bad-output' }
  | { readonly kind: 'failed'; readonly error: ModelError };

/** Calls the model and runs the tools that it asks for, until it asks for none. */
export type RunLoop = (scene: Scene, conversation: Conversation) => Promise<LoopEnd>;
