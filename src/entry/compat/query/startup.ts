import { abortedEarly } from '../errors.js';
import { checkOptions } from '../options/check-official-options.js';
import { givenOptions } from '../options/given.js';
import type { Prompt } from '../run/input.js';
import { Conversation } from '../run/query-conversation.js';
import type { Options, OwnParams } from '../types/option-types.js';
import type { Query, WarmQuery } from '../types/query-types.js';
import { QueryRun } from './query-run.js';

/** How long a CLI may take to become ready; as in the original. */
export const STARTUP_MS = 60_000;

/** Starts a CLI and waits until it is ready for the first prompt. Rejects with the reason if it does not become ready. */
export async function startup({
  initializeTimeoutMs = STARTUP_MS,
  record,
  ...params
}: {
  options?: Options;
  initializeTimeoutMs?: number;
} & OwnParams = {}): Promise<WarmQuery> {
  const options = givenOptions(params.options);
  const signal = options.abortController?.signal;
  if (signal?.aborted === true) throw abortedEarly(signal.reason);
  checkOptions(options, record);
  const conversation = new Conversation(options, { warm: true, handshakeMs: initializeTimeoutMs, record });
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

  /** Ends the CLI if it never got a prompt. */
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
