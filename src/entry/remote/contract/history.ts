import type { TokenCounts } from './sessions.js';

/** Options for listing earlier conversations. */
export interface HistoryParams {
  /** Only conversations of this folder. Default: all folders below the roots. */
  readonly cwd?: string | undefined;
  /** Words to search for. */
  readonly search?: string | undefined;
  /** The maximum number. */
  readonly limit?: number | undefined;
}

/** An earlier conversation on disk. */
export interface HistoryEntry {
  /** The id of the conversation. */
  readonly conversation: string;
  /** Its title. */
  readonly title: string;
  /** Its working folder. */
  readonly cwd: string | undefined;
  /** The time, in milliseconds since 1970. */
  readonly changedAt: number;
  /** The size of its file. */
  readonly bytes: number | undefined;
  /** The session of this server that uses or used it. */
  readonly session?: string | undefined;
}

/** A search in messages on disk. */
export interface SearchParams {
  /** Words that a message must all contain. */
  readonly text: string;
  /** Only conversations of this folder. Default: all folders below the roots. */
  readonly cwd?: string | undefined;
  /** `next` of the previous answer. */
  readonly after?: string | undefined;
}

/** A part of the search results. */
export interface SearchView {
  /** Conversations with matching messages. */
  readonly found: readonly FoundConversation[];
  /** Pass it to continue; undefined when everything was searched. */
  readonly next: string | undefined;
}

/** A conversation with matches. */
export interface FoundConversation extends HistoryEntry {
  /** The first matching messages, at most five. */
  readonly messages: readonly {
    /** Its `uuid`. */
    readonly uuid: string;
    /** Who wrote it: a person, the model, or a tool. */
    readonly by: 'user' | 'assistant' | 'tool';
    /** The time, in milliseconds since 1970. */
    readonly at: number | undefined;
    /** The text around the first word. */
    readonly text: string;
  }[];
}

/** The usage to return. */
export interface UsageParams {
  /** The number of days, including today. Default: 30. */
  readonly days?: number | undefined;
  /** `next` of the previous answer. */
  readonly after?: string | undefined;
}

/** A part of the usage of conversations on disk: add up the rows of the same day and folder. */
export interface UsageView {
  /** By day and folder. */
  readonly rows: readonly UsageRow[];
  /** Pass it to continue; undefined when everything was read. */
  readonly next: string | undefined;
}

/** The usage of a folder's conversations on one day. */
export interface UsageRow {
  /** The day, in the time zone of the server: `2026-11-16`. */
  readonly day: string;
  /** The working folder. */
  readonly cwd: string;
  /** The tokens. */
  readonly tokens: TokenCounts;
}
