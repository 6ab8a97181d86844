import type { LoginLimits } from '../../wire/protocol/reading/plan-limits.js';
import type { Conversation } from './conversations/conversation.js';
import type { ConversationExport } from './conversations/conversation-export.js';
import type { DeleteOptions } from './conversations/conversation-host.js';
import type { ManagerEvents } from './manager-events.js';
import type { ConversationFacts, ConversationOptions } from './manager-options.js';

/** The counters of a manager. */
export interface ManagerCounters {
  /** The number of conversations with a CLI. */
  readonly running: number;
  /** The number of conversations waiting for a slot. */
  readonly waiting: number;
  /** The number of conversations without a CLI. */
  readonly parked: number;
  /** The number of failed conversations. */
  readonly failed: number;
  /** How often a CLI was started. */
  readonly starts: number;
  /** How often a CLI was started for a parked conversation. */
  readonly resumes: number;
  /** The total cost, in dollars. */
  readonly costUsd: number;
}

/** How long `drain()` waits. */
export interface DrainOptions {
  /** How long to wait, in milliseconds; then it ends everything, like `close()`. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /** Ends everything when aborted, like `close()`. */
  readonly signal?: AbortSignal | undefined;
}

/** Many conversations on a few CLIs. */
export interface Manager<Options = ConversationOptions> extends AsyncDisposable {
  /** Returns the conversation with this name and creates it if needed. The first message starts its CLI. */
  conversation(name: string, options?: Options): Conversation;
  /**
   * Returns a conversation by its name. @throws CoxswainError `CONVERSATION_UNKNOWN` if there is none with this name.
   */
  find(name: string): Conversation;
  /** All conversations, in order of creation. */
  list(): readonly ConversationFacts[];
  /** The counters so far. */
  readonly counters: ManagerCounters;
  /** The usage limits of each login, as its CLIs reported them last: how full each window is, and when it resets. */
  readonly limits: readonly LoginLimits[];
  /** Adds a listener for all conversations; the returned function removes it. */
  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void;
  /** Deletes a conversation: ends its CLI and cancels waiting messages. By default the CLI's transcript stays. */
  delete(name: string, options?: DeleteOptions): Promise<void>;
  /** Returns everything known about a conversation, as plain data. */
  export(name: string): Promise<ConversationExport>;
  /**
   * Accepts no more messages, waits for running turns and background work, parks all conversations, and closes. After
   * that it is safe to exit. Meanwhile you can still `find()` conversations and answer prompts.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Ends every CLI immediately. Unsettled messages stay for the next manager of this store. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
