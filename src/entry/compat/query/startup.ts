import { abortedEarly } from '../errors.js';
import { checkOptions } from '../options/check-official-options.js';
import { givenOptions } from '../options/given.js';
import type { Prompt } from '../run/input.js';
import { Conversation } from '../run/query-conversation.js';
import type { Options } from '../types/option-types.js';
import type { Query, WarmQuery } from '../types/query-types.js';
import { QueryRun } from './query-run.js';

/** Starts a CLI and waits until it is ready, so that the first prompt finds it so. Rejects with why it is not. */
export async function startup({
  initializeTimeoutMs,
  ...params
}: {
  options?: Options;
  initializeTimeoutMs?: number;
} = {}): Promise<WarmQuery> {
  const options = givenOptions(params.options);
  const signal = options.abortController?.signal;
  if (signal?.aborted === true) throw abortedEarly(signal.reason);
  checkOptions(options);
  const deadline = initializeTimeoutMs === undefined ? {} : { handshakeMs: initializeTimeoutMs };
  const conversation = new Conversation(options, { warm: true, ...deadline });
  const run = new QueryRun(conversation);
  await conversation.initialized;
  return new Warm(conversation, run);
}

/** A CLI that waits for its first prompt. */
class Warm implements WarmQuery {
  readonly #conversation: Conversation;
  readonly #run: QueryRun;
  #used = false;

  constructor(conversation: Conversation, run: QueryRun) {
    this.#conversation = conversation;
    this.#run = run;
  }

  query(prompt: Prompt): Query {
    if (this.#used) throw new Error('WarmQuery.query() can only be called once');
    this.#used = true;
    void this.#conversation.write(prompt);
    return this.#run;
  }

  /** Ends the CLI if it was never asked anything. */
  close(): void {
    if (this.#used) return;
    this.#used = true;
    this.#run.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#used) return;
    this.#used = true;
    await this.#run[Symbol.asyncDispose]();
  }
}
