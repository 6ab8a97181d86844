import type { WireObject } from '../../../wire/protocol/frames.js';

/** A piece of text in a reply. */
export interface TextBlock {
  /** `text`. */
  readonly type: 'text';
  /** The text. */
  readonly text: string;
}

/** Thinking in a reply; a missing signature is generated. */
export interface ThinkingBlock {
  /** `thinking`. */
  readonly type: 'thinking';
  /** The thoughts. */
  readonly thinking: string;
  /** The signature. */
  readonly signature?: string;
}

/** A tool call in a reply; a missing id is generated. */
export interface ToolUseBlock {
  /** `tool_use`. */
  readonly type: 'tool_use';
  /** The tool. */
  readonly name: string;
  /** The input of the call. */
  readonly input: WireObject;
  /** The id of the call. Default: a generated one. */
  readonly id?: string;
}

/** One content block of a reply, spelled as in the Messages API. */
export type ReplyBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** Why the model stopped, with the names of the Messages API. */
export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

/** Token counts of a reply; missing ones get small made-up numbers. */
export interface ReplyUsage {
  /** Tokens read without the cache. */
  readonly input_tokens?: number;
  /** Tokens written. */
  readonly output_tokens?: number;
  /** Tokens written to the cache. */
  readonly cache_creation_input_tokens?: number;
  /** Tokens read from the cache. */
  readonly cache_read_input_tokens?: number;
}

/** How to deliver a reply. Default: whole and immediately. */
export interface Delivery {
  /** Characters per delta of text, thinking or tool input. */
  readonly chunkLength?: number;
  /** Milliseconds before each event. */
  readonly delayMs?: number;
  /** `cut` breaks the connection inside an event; `stall` stops sending and keeps it open. */
  readonly end?: 'whole' | 'cut' | 'stall';
}

/** A message of the model. */
export interface MessageReply {
  /** The content of the reply. */
  readonly content: readonly ReplyBlock[];
  /** Default: `tool_use` if the content has a tool call, otherwise `end_turn`. */
  readonly stopReason?: StopReason;
  /** The token counts to report. */
  readonly usage?: ReplyUsage;
  /** How to deliver the reply. */
  readonly delivery?: Delivery;
  /** HTTP headers of the reply, such as those that tell how full a usage limit is. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP error instead of a message. */
export interface ErrorReply {
  /** The HTTP status. */
  readonly error: number;
  /** The API's error type. Default: the usual one for the status. */
  readonly type?: string;
  /** The error message. */
  readonly message?: string;
  /** Seconds, sent as the `retry-after` header. */
  readonly retryAfter?: number;
  /** More headers, such as those of a usage limit. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply of the model: one block, several, a whole message, or an error. */
export type Reply = ReplyBlock | readonly ReplyBlock[] | MessageReply | ErrorReply;

/** The options of {@link reply}. */
export type ReplyOptions = Omit<MessageReply, 'content'>;

/** The options of {@link apiError}. */
export type ApiErrorOptions = Omit<ErrorReply, 'error'>;

/** A text block, which is also a complete reply. */
export function text(value: string): TextBlock {
  return { type: 'text', text: value };
}

/** A thinking block. */
export function thinking(value: string): ThinkingBlock {
  return { type: 'thinking', thinking: value };
}

/** A tool call, which is also a complete reply. */
export function toolUse(name: string, input: WireObject = {}, id?: string): ToolUseBlock {
  return { type: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

/** A message of several blocks, or with a custom stop reason, usage or delivery. */
export function reply(content: ReplyBlock | readonly ReplyBlock[], options: ReplyOptions = {}): MessageReply {
  return { content: isBlock(content) ? [content] : content, ...options };
}

/** An HTTP error: `apiError(429, { retryAfter: 1 })`. */
export function apiError(status: number, options: ApiErrorOptions = {}): ErrorReply {
  return { error: status, ...options };
}

/** A stream that sends its content, then stalls without ending. */
export function stall(content: Exclude<Reply, ErrorReply> = []): MessageReply {
  return withDelivery(content, { end: 'stall' });
}

/** A stream that sends its content, then breaks the connection inside an event. */
export function cut(content: Exclude<Reply, ErrorReply> = []): MessageReply {
  return withDelivery(content, { end: 'cut' });
}

/** A slow stream: small pieces with a pause before each. */
export function drip(
  content: Exclude<Reply, ErrorReply>,
  { chunkLength = 8, delayMs = 20 }: Pick<Delivery, 'chunkLength' | 'delayMs'> = {},
): MessageReply {
  return withDelivery(content, { chunkLength, delayMs });
}

/** Whether a reply is an error. */
export function isErrorReply(value: Reply): value is ErrorReply {
  return 'error' in value;
}

/** Any reply that is not an error, in its full form. */
export function toMessage(value: Exclude<Reply, ErrorReply>): MessageReply {
  if (isBlock(value)) return { content: [value] };
  return 'content' in value ? value : { content: value };
}

function withDelivery(content: Exclude<Reply, ErrorReply>, delivery: Delivery): MessageReply {
  const message = toMessage(content);
  return { ...message, delivery: { ...message.delivery, ...delivery } };
}

function isBlock(value: ReplyBlock | readonly ReplyBlock[] | MessageReply): value is ReplyBlock {
  return 'type' in value;
}
