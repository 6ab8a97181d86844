import type { WireObject } from '../../../wire/protocol/frames.js';
import type { MessageReply, ReplyBlock, ReplyUsage, ToolUseBlock } from './replies.js';

/** Creates unique ids of messages and tool calls. */
export type MakeId = (prefix: 'msg' | 'toolu' | 'req') => string;

/** A finished message of the Messages API. */
export interface ApiMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly (Exclude<ReplyBlock, ToolUseBlock> | Required<ToolUseBlock>)[];
  readonly stop_reason: string;
  readonly stop_sequence: null;
  readonly usage: Required<ReplyUsage>;
}

/** Writes a reply as the whole message that a non-streaming request gets. */
export function buildMessage(reply: MessageReply, model: string, makeId: MakeId): ApiMessage {
  const content = reply.content.map((block) => completeBlock(block, makeId));
  const calls = content.some((block) => block.type === 'tool_use');
  return {
    id: makeId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reply.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      output_tokens: estimateTokens(JSON.stringify(content).length),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...reply.usage,
    },
  };
}

/** The body of an API error. */
export function buildError(status: number, type?: string, message?: string): WireObject {
  return {
    type: 'error',
    error: {
      type: type ?? ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
      message: message ?? `The script answers with status ${status}.`,
    },
  };
}

/** An estimate: four characters per token. */
export function estimateTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4));
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function completeBlock(block: ReplyBlock, makeId: MakeId): ApiMessage['content'][number] {
  if (block.type === 'tool_use') {
    const { type, id = makeId('toolu'), name, input } = block;
    return { type, id, name, input };
  }
  return block.type === 'thinking' ? { ...block, signature: block.signature ?? 'c2NyaXB0ZWQ=' } : block;
}
