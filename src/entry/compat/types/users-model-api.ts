// @ts-expect-error: an optional package of the user's, which this one does not have; its types are `any` then.
import type * as Resources from '@anthropic-ai/sdk/resources';
// @ts-expect-error: as above.
import type * as Beta from '@anthropic-ai/sdk/resources/beta/messages/messages.mjs';
import type * as own from './model-api-types.js';

/** The type of the user's own package if it is installed, otherwise ours. In a tuple, because the missing type would win. */
export type Installed<Theirs, Own> = [unknown] extends [Theirs] ? Own : Theirs;

/** A message to the model. */
export type MessageParam = Installed<Resources.MessageParam, own.MessageParam>;
/** A message of the model. */
export type ModelMessage = Installed<Beta.BetaMessage, own.ModelMessage>;
/** An event of the model’s stream. */
export type StreamEvent = Installed<Beta.BetaRawMessageStreamEvent, own.StreamEvent>;
/** Tokens as the Messages API counts them. */
export type Usage = Installed<Beta.BetaUsage, own.Usage>;
export type { own };
