import type { WireObject } from '../frames.js';
import type { Todo } from '../todos.js';
import type { ApiRetry } from './api-retry.js';
import type { TokenCount } from './token-count.js';

/** The keys of every item. */
export interface ItemBase {
  /** Identifies the item among those of its kind. */
  readonly id: string;
  /** The id of the tool call whose subagent it belongs to; null for the main conversation. */
  readonly agent: string | null;
}

/** A text or a thought of the model. */
export interface TextItem extends ItemBase {
  /** `text` or `thinking`. */
  readonly kind: 'text' | 'thinking';
  /** The id of the answer that it is part of. */
  readonly answer: string;
  /** What is written so far. */
  readonly text: string;
  /** `cut-off` if it was never finished. */
  readonly state: 'writing' | 'done' | 'cut-off';
  /** Why the API call failed: then the CLI wrote this text in the model's name. */
  readonly error?: string | undefined;
}

/** A tool call with its result. The items of a subagent have the call's id as their `agent`. */
export interface ToolItem extends ItemBase {
  /** `tool`. */
  readonly kind: 'tool';
  /** The name of the tool. */
  readonly name: string;
  /** The input; empty while it is being written. */
  readonly input: WireObject;
  /** The part of the input that is written so far, as JSON. */
  readonly inputText: string;
  /** `cut-off` if it has no result: the turn or the CLI ended before. */
  readonly state: 'writing' | 'running' | 'done' | 'failed' | 'cut-off';
  /** The content of the result as on the wire: a text or a list of blocks. */
  readonly result?: unknown;
  /** What the CLI reports about the result besides its content; the shape depends on the tool. */
  readonly details?: unknown;
}

/** One call to the model: several items can come from one answer. */
export interface AnswerItem extends ItemBase {
  /** `answer`. */
  readonly kind: 'answer';
  /** The model, if the CLI says it. */
  readonly model: string | undefined;
  /** The tokens of the call, as far as they are known. */
  readonly tokens: TokenCount;
  /** Why the model stopped, such as `end_turn`. */
  readonly stopReason: string | undefined;
}

/** The model's to-do list after a call has changed it. */
export interface TodosItem extends ItemBase {
  /** `todos`. */
  readonly kind: 'todos';
  /** The whole list. */
  readonly todos: readonly Todo[];
  /** The id of the tool call that changed it. */
  readonly call: string;
}

/** Work that runs beside the conversation, or could: a shell, an agent. */
export interface TaskItem extends ItemBase {
  /** `task`. */
  readonly kind: 'task';
  /** What it does, in a few words. */
  readonly description: string;
  /** What it is, such as `local_bash`; undefined if the CLI does not say it. */
  readonly type: string | undefined;
  /** The type of the agent that runs it. */
  readonly subagentType: string | undefined;
  /** The id of the tool call that started it. */
  readonly call: string | undefined;
  /** The CLI's word for its state, such as `completed`; `cut-off` if the CLI ended before. */
  readonly status: string;
  /** Whether it has not ended. */
  readonly running: boolean;
  /** Whether the conversation goes on without waiting for it. */
  readonly background: boolean;
  /** The tokens it has used, if the CLI counts them. */
  readonly tokens: number | undefined;
  /** What it has done, or why it failed. */
  readonly summary: string | undefined;
}

/** A call to the model failed, and the CLI tries again. Only newer CLIs report this. */
export interface RetryItem extends ItemBase, ApiRetry {
  /** `retry`. */
  readonly kind: 'retry';
}

/** The CLI replaces the history by a summary. */
export interface CompactionItem extends ItemBase {
  /** `compaction`. */
  readonly kind: 'compaction';
  /** `cut-off` if the turn or the CLI ended before. */
  readonly state: 'running' | 'done' | 'cut-off';
  /** Who started it, such as `manual` or `auto`. */
  readonly trigger: string | undefined;
  /** Tokens in the context before. */
  readonly tokensBefore: number | undefined;
  /** Tokens in the context after; only newer CLIs report it. */
  readonly tokensAfter: number | undefined;
}

/** A limit of the account. */
export interface LimitItem extends ItemBase {
  /** `limit`. */
  readonly kind: 'limit';
  /** `allowed`, `allowed_warning`, `rejected` or another word of the CLI. */
  readonly status: string;
  /** Which limit it is, such as `five_hour`. */
  readonly type: string | undefined;
  /** When it resets, in milliseconds since 1970. */
  readonly resetsAt: number | undefined;
  /** Everything that the CLI reports about it. */
  readonly info: WireObject;
}

/** A tool call was not allowed. Older CLIs report it with the end of the turn. */
export interface DenialItem extends ItemBase {
  /** `denial`. */
  readonly kind: 'denial';
  /** The id of the tool call. */
  readonly call: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The reason that the model gets; undefined from older CLIs. */
  readonly reason: string | undefined;
  /** Who denied it: `classifier` in auto mode, `rule`, `mode` or another word of newer CLIs. */
  readonly by: string | undefined;
  /** Why, in the words of who denied it. */
  readonly why: string | undefined;
}

/** A message in the user role: a person's, the prompt of a subagent, or one that the CLI wrote. */
export interface UserItem extends ItemBase {
  /** `user`. */
  readonly kind: 'user';
  /** The content as on the wire: a text or a list of blocks. */
  readonly content: unknown;
  /** Whether the CLI repeats a message that the host sent. */
  readonly isReplay: boolean;
}

/** Something that the CLI says itself. */
export interface NoteItem extends ItemBase {
  /** `note`. */
  readonly kind: 'note';
  /** `command` for the output of a slash command. */
  readonly source: 'command' | 'notice';
  /** What it says. */
  readonly text: string;
}

/** The end of a turn. */
export interface TurnEndItem extends ItemBase {
  /** `turn-end`. */
  readonly kind: 'turn-end';
  /** Whether it failed; an interrupted turn has not. */
  readonly failed: boolean;
  /** Whether it was interrupted; older CLIs do not say it. */
  readonly interrupted: boolean;
  /** The answer, or why it failed. */
  readonly text: string;
  /** The tokens of the turn. */
  readonly tokens: TokenCount;
  /** What the CLI has cost so far, in dollars; a sum over turns. */
  readonly costUsd: number | undefined;
  /** The size of the largest context of its models; only some CLIs report it. */
  readonly contextWindow: number | undefined;
  /** How long it took. */
  readonly durationMs: number | undefined;
  /** The result message as on the wire. */
  readonly result: WireObject;
}

/** Something that people see of a conversation; narrow it by `kind`. */
export type Item =
  | TextItem
  | ToolItem
  | AnswerItem
  | TodosItem
  | TaskItem
  | RetryItem
  | CompactionItem
  | LimitItem
  | DenialItem
  | UserItem
  | NoteItem
  | TurnEndItem;

/** What a message changed. */
export interface ItemChange {
  /** The item after the change. */
  readonly item: Item;
  /** Whether this is the first report of the item. */
  readonly isNew: boolean;
  /** What was added to a text, or to the input of a tool call as JSON; otherwise empty. */
  readonly added: string;
}
