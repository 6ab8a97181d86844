import type { ClientName, PromptAnswer } from '../../../src/entry/remote/contract.js';
import type { WireObject } from '../../../src/wire/protocol/frames.js';
import type {
  TaskItem,
  TextItem,
  TurnEndItem as TurnEnd,
  ToolItem as WireTool,
} from '../../../src/wire/protocol/reading/items.js';
import type { Todo } from '../../../src/wire/protocol/todos.js';

/** A block of a user message or of a tool's result. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: string }
  | { readonly type: 'file'; readonly name: string; readonly json: WireObject }
  | { readonly type: 'other'; readonly json: WireObject };

/** A message from a person, or the prompt of a subagent. */
export interface UserItem {
  readonly kind: 'user';
  /** The uuid of the message: what files can be rewound to. */
  readonly id: string;
  readonly at: number;
  readonly blocks: readonly Block[];
  /** Whether it is waiting at the host, was passed to the CLI, or never got there. */
  readonly state: 'queued' | 'sent' | 'dropped';
}

/** The model's text or thinking, perhaps still being written. */
export interface SpeechItem extends TextItem {
  readonly at: number;
}

/** A tool call with its result, and what a subagent did inside it. */
export interface ToolItem extends Omit<WireTool, 'result' | 'details'> {
  readonly at: number;
  readonly result: readonly Block[];
  /** What the CLI reports about the result besides its text, such as the patch of an edit. */
  readonly details?: WireObject | undefined;
  readonly endedAt?: number | undefined;
  /** The prompt that must be answered before it runs. */
  readonly asking?: string | undefined;
  /** That prompt's outcome, and who decided. */
  readonly decision?: Decision | undefined;
  readonly children: readonly Item[];
  /** The to-do list after this call, if it has changed or shown it. */
  readonly todos?: readonly Todo[] | undefined;
}

/** How a prompt was settled. */
export interface Decision {
  readonly how: 'answered' | 'withdrawn' | 'expired';
  readonly by: ClientName | undefined;
  readonly answer: PromptAnswer | undefined;
}

/** The end of a turn. */
export interface TurnEndItem extends TurnEnd {
  readonly at: number;
  /** What this turn has cost, in dollars. */
  readonly turnUsd: number;
}

/** A note between messages. */
export interface NoteItem {
  readonly kind: 'note';
  readonly id: string;
  readonly at: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** One row of a conversation. */
export type Item = UserItem | SpeechItem | ToolItem | TurnEndItem | NoteItem;

/** Work that runs in the background, or could. */
export interface Task extends TaskItem {
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
}

/** A line of the wire with its number. */
export interface WireLine {
  readonly n: number;
  readonly at: number;
  readonly from: 'host' | 'cli';
  readonly frame: WireObject;
}
