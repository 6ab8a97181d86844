import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Conversation } from '../run/query-conversation.js';
import type { McpServerConfig } from '../types/mcp-types.js';
import type { SDKMessage, SDKUserMessage } from '../types/message-types.js';
import type { Query } from '../types/query-types.js';
import { QueryControls } from './controls.js';

type Next = IteratorResult<SDKMessage, void>;

/** A query as programs see it: the messages of a conversation, its control methods, and a prompt shutdown. */
export class QueryRun extends QueryControls implements Query {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    super();
    this.#conversation = conversation;
  }

  next(): Promise<Next> {
    // Messages go to the program unchanged; the CLI decides which kinds there are.
    return this.#conversation.next() as Promise<Next>;
  }

  async return(value?: void | PromiseLike<void>): Promise<Next> {
    void this.#conversation.close();
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<Next> {
    void this.#conversation.close();
    throw error;
  }

  close(): void {
    void this.#conversation.close();
  }

  streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    return this.#conversation.stream(messages);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the query and waits until none of its processes run. */
  async [Symbol.asyncDispose](): Promise<void> {
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
}
