import type { ClientName, PromptAnswer } from '../../../src/entry/remote/contract.js';
import type { WireObject } from '../../../src/wire/protocol/frames.js';

/** A piece of a user message or of a tool's result. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: string }
  | { readonly type: 'file'; readonly name: string }
  | { readonly type: 'other'; readonly json: WireObject };

/** Something a person, or the prompt of a subagent, said. */
export interface UserItem {
  readonly kind: 'user';
  /** The uuid of the message: what files can be rewound to. */
  readonly id: string;
  readonly at: number;
  readonly blocks: readonly Block[];
  /** Whether it waits at the host, is with the CLI, or never got there. */
  readonly state: 'queued' | 'sent' | 'dropped';
}

/** Text or thinking of the model, perhaps still being written. */
export interface SpeechItem {
  readonly kind: 'text' | 'thinking';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly streaming: boolean;
}

/** A tool call with its result, and what a subagent did inside it. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly id: string;
  readonly at: number;
  readonly name: string;
  readonly input: WireObject;
  /** The input as far as it was written; undefined once it is whole. */
  readonly partialInput?: string | undefined;
  /** `cut-off` where the CLI went before it answered. */
  readonly state: 'writing' | 'running' | 'done' | 'failed' | 'cut-off';
  readonly result: readonly Block[];
  /** What the CLI tells of the result beside its text, such as the patch of an edit. */
  readonly details?: WireObject | undefined;
  readonly endedAt?: number | undefined;
  /** The prompt that somebody has to answer before it runs. */
  readonly asking?: string | undefined;
  /** What became of that prompt, and by whom. */
  readonly decision?: Decision | undefined;
  readonly children: readonly Item[];
}

/** How a prompt was settled. */
export interface Decision {
  readonly how: 'answered' | 'withdrawn' | 'expired';
  readonly by: ClientName | undefined;
  readonly answer: PromptAnswer | undefined;
}

/** The end of a turn. */
export interface TurnEndItem {
  readonly kind: 'turn-end';
  readonly id: string;
  readonly at: number;
  readonly failed: boolean;
  readonly interrupted: boolean;
  /** Why it failed. */
  readonly text: string;
  readonly costUsd: number;
  readonly durationMs: number;
  readonly outputTokens: number;
}

/** A remark between the messages. */
export interface NoteItem {
  readonly kind: 'note';
  readonly id: string;
  readonly at: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** One row of a conversation. */
export type Item = UserItem | SpeechItem | ToolItem | TurnEndItem | NoteItem;

/** Work that runs beside the conversation, or could. */
export interface Task {
  readonly id: string;
  readonly description: string;
  readonly type: string;
  readonly toolUseId?: string | undefined;
  readonly status: string;
  readonly running: boolean;
  readonly background: boolean;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly tokens?: number | undefined;
  readonly summary?: string | undefined;
}

/** A line of the wire with its number. */
export interface WireLine {
  readonly n: number;
  readonly at: number;
  readonly from: 'host' | 'cli';
  readonly frame: WireObject;
}
