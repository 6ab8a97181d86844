import type { TokenCounts } from './sessions.js';

/** Options of listing earlier conversations. */
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

/** What to look for in messages on disk. */
export interface SearchParams {
  /** Words; all of them have to be in a message. */
  readonly text: string;
  /** In the conversations of one folder; of all folders below the roots otherwise. */
  readonly cwd?: string | undefined;
  /** `next` of the answer before. */
  readonly after?: string | undefined;
}

/** Some of what was found. */
export interface SearchView {
  /** Conversations with such messages. */
  readonly found: readonly FoundConversation[];
  /** Asks for what follows; undefined when everything was looked at. */
  readonly next: string | undefined;
}

/** A conversation in which words were found. */
export interface FoundConversation extends HistoryEntry {
  /** The first messages that have them, five at most. */
  readonly messages: readonly {
    /** Its `uuid`. */
    readonly uuid: string;
    /** Who said it: a person, the model, or a tool that gave a result. */
    readonly by: 'user' | 'assistant' | 'tool';
    /** The time, in milliseconds since 1970. */
    readonly at: number | undefined;
    /** The text around the first word. */
    readonly text: string;
  }[];
}

/** Which usage. */
export interface UsageParams {
  /** Of how many days, today included. Default: 30. */
  readonly days?: number | undefined;
  /** `next` of the answer before. */
  readonly after?: string | undefined;
}

/** Some of what conversations on disk have used: rows of one day and folder in several answers add up. */
export interface UsageView {
  /** By day and folder. */
  readonly rows: readonly UsageRow[];
  /** Asks for what follows; undefined when everything was read. */
  readonly next: string | undefined;
}

/** What the conversations of a folder have used on a day. */
export interface UsageRow {
  /** In the time zone of the server: `2026-11-16`. */
  readonly day: string;
  /** The working folder. */
  readonly cwd: string;
  /** The tokens. */
  readonly tokens: TokenCounts;
}
