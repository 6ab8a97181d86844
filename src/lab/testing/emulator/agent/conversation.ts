import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import type { ModelError } from './model-stream.js';

/** A conversation with the model: that of the session, or that of a sub-agent. */
export interface Conversation {
  readonly system: string;
  /** What was said so far; it grows. */
  readonly messages: WireObject[];
}

/** How a conversation came to rest. */
export type LoopEnd =
  | { readonly kind: 'done' | 'max-turns' | 'budget' | 'bad-output' }
  | { readonly kind: 'failed'; readonly error: ModelError };

/** Calls the model and runs the tools that it asks for, until it asks for none. */
export type RunLoop = (scene: Scene, conversation: Conversation) => Promise<LoopEnd>;
