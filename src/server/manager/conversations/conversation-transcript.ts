import { join } from 'node:path';
import { deleteSession } from '../../../host/transcripts/change-session.js';
import { type SessionMessagesOptions, sessionMessages } from '../../../host/transcripts/session-messages.js';
import type { SessionMessage } from '../../../host/transcripts/transcript-types.js';
import type { LaunchOptions } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';

/** Options for reading the messages of a conversation. */
export type TranscriptOptions = Pick<SessionMessagesOptions, 'limit' | 'offset' | 'includeSystemMessages'>;

/** What {@link ConversationTranscript} needs from its conversation. */
export interface TranscriptOwner {
  readonly record: ConversationRecord;
  readonly options: LaunchOptions;
}

/** The transcripts of a conversation's CLIs. */
export class ConversationTranscript {
  readonly #owner: TranscriptOwner;

  constructor(owner: TranscriptOwner) {
    this.#owner = owner;
  }

  /** The messages so far; none before the first turn. */
  async messages(options: TranscriptOptions = {}): Promise<readonly SessionMessage[]> {
    const id = this.#id;
    return id === undefined ? [] : sessionMessages(id, { ...options, configDir: this.#folder });
  }

  /**
   * Whether the CLI of a dead host picked up a message: it may have run on for a while, and its transcript shows that.
   * If there is a transcript, the first CLI's id is the conversation's.
   */
  async tookUp(messageId: string, found: (sessionId: string) => void): Promise<boolean> {
    const messages = await this.messages();
    const { sessionId, startedAs } = this.#owner.record;
    if (messages.length > 0 && sessionId === undefined && startedAs !== undefined) found(startedAs);
    return messages.some(({ uuid }) => uuid === messageId);
  }

  /** Removes it, if there is one. */
  async delete(): Promise<void> {
    const id = this.#id;
    const isThere = id !== undefined && (await this.messages({ limit: 1 })).length > 0;
    if (isThere) await deleteSession(id, { configDir: this.#folder });
  }

  get #id(): string | undefined {
    const { sessionId, givenId, startedAs } = this.#owner.record;
    return sessionId ?? givenId ?? startedAs;
  }

  /** Where the CLI keeps its transcripts, if its environment differs from ours. */
  get #folder(): string | undefined {
    const { configDir, env = {} } = this.#owner.options;
    const { CLAUDE_CONFIG_DIR, HOME } = env;
    return configDir ?? CLAUDE_CONFIG_DIR ?? (HOME === undefined ? undefined : join(HOME, '.claude'));
  }
}
