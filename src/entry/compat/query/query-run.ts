import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { aborted } from '../errors.js';
import type { Conversation } from '../run/query-conversation.js';
import type { McpServerConfig } from '../types/mcp-types.js';
import type { SDKMessage, SDKUserMessage } from '../types/message-types.js';
import type { Query } from '../types/query-types.js';
import { QueryControls } from './controls.js';

type Next = IteratorResult<SDKMessage, void>;

/** A query as programs hold it: the messages of a conversation, its control methods, and an end that is prompt. */
export class QueryRun extends QueryControls implements Query {
  readonly #conversation: Conversation;
  readonly #waiting = new Set<Deferred<Next>>();
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#stop(aborted(this.#signal?.reason));
  #over = false;
  /** Why it was stopped while nobody waited for a message; the next one who asks is told. */
  #unheard: Error | undefined;

  constructor(conversation: Conversation, signal: AbortSignal | undefined) {
    super();
    this.#conversation = conversation;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  next(): Promise<Next> {
    if (this.#over) return this.#last();
    const waiting = deferred<Next>();
    this.#waiting.add(waiting);
    void this.#serve(waiting);
    return waiting.promise;
  }

  async return(value?: void | PromiseLike<void>): Promise<Next> {
    this.#stop(undefined);
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<Next> {
    this.#stop(undefined);
    throw error;
  }

  close(): void {
    this.#stop(undefined);
  }

  streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    return this.#conversation.stream(messages);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the query and waits until nothing of it runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop(undefined);
    await this.#conversation.close();
  }

  protected ask(subtype: string, params?: WireObject): Promise<WireObject> {
    return this.#conversation.ask(subtype, params);
  }

  protected get initialized(): Promise<WireObject> {
    return this.#conversation.initialized;
  }

  protected get changedCommands(): readonly unknown[] | undefined {
    return this.#conversation.commands;
  }

  protected get initializeFields(): WireObject {
    return this.#conversation.fields;
  }

  protected setServers(servers: Record<string, McpServerConfig>) {
    return this.#conversation.setServers(servers);
  }

  async #last(): Promise<Next> {
    const unheard = this.#unheard;
    this.#unheard = undefined;
    if (unheard !== undefined) throw unheard;
    return { done: true, value: undefined };
  }

  async #serve(waiting: Deferred<Next>): Promise<void> {
    try {
      const next = await this.#conversation.next();
      if (next.done === true) this.#finish();
      // Messages go to the program as they came; which kinds there are is the CLI's to say.
      waiting.resolve(next as Next);
    } catch (error) {
      this.#finish();
      waiting.reject(error);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Gives control back to the program at once; the process is ended behind. */
  #stop(why: Error | undefined): void {
    if (this.#over) return;
    this.#finish();
    void this.#conversation.close(why);
    const [first, ...others] = this.#waiting;
    this.#waiting.clear();
    if (why === undefined) first?.resolve({ done: true, value: undefined });
    else first?.reject(why);
    for (const other of others) other.resolve({ done: true, value: undefined });
    if (first === undefined) this.#unheard = why;
  }

  #finish(): void {
    this.#over = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
