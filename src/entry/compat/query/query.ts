import { abortedEarly } from '../errors.js';
import { checkOptions } from '../options/check-official-options.js';
import { givenOptions } from '../options/given.js';
import { Conversation } from '../run/query-conversation.js';
import type { SDKUserMessage } from '../types/message-types.js';
import type { Options, OwnParams } from '../types/option-types.js';
import type { Query } from '../types/query-types.js';
import { QueryRun } from './query-run.js';

/**
 * Starts a conversation with a string or a stream of messages, and yields its messages. @throws AbortError if the abort
 * controller is already aborted; Error for options that cannot be combined.
 */
export function query({
  prompt,
  record,
  ...params
}: { prompt: string | AsyncIterable<SDKUserMessage>; options?: Options } & OwnParams): Query {
  const options = givenOptions(params.options);
  const { abortController } = options;
  if (abortController?.signal.aborted === true) throw abortedEarly(abortController.signal.reason);
  checkOptions(options, record);
  const conversation = new Conversation(options, { record });
  const run = new QueryRun(conversation);
  void conversation.write(prompt);
  return run;
}
