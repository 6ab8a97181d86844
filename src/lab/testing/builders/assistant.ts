import { randomBytes } from 'node:crypto';
import type { ContentBlock } from '../../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import type { Message } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { built, type Overrides } from './identity.js';

/** Token counts of one model call: small, made-up numbers. */
export const CALL_USAGE = {
  input_tokens: 12,
  output_tokens: 7,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
} as const;

/** The options of an assistant message. */
export interface AssistantOptions {
  /** The id of the model's message, which its blocks share. */
  readonly id?: string;
  /** The name of the model. */
  readonly model?: string;
  /** Why the model stopped. */
  readonly stopReason?: string | null;
  /** The tool call of the subagent that writes this. */
  readonly parentToolUseId?: string | null;
}

/** An assistant message with one content block, as CLIs send them. */
export function assistantMessage(
  block: ContentBlock,
  {
    id = messageId(),
    model = 'claude-sonnet-4-5-20250929',
    stopReason = null,
    parentToolUseId = null,
  }: AssistantOptions = {},
  overrides?: Overrides<'assistant'>,
): Message<'assistant'> {
  return built<'assistant'>(
    {
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason: stopReason,
        stop_sequence: null,
        usage: CALL_USAGE,
        context_management: null,
      },
      parent_tool_use_id: parentToolUseId,
    },
    overrides,
  );
}

/** An assistant message with text. */
export function assistantText(
  text: string,
  options?: AssistantOptions,
  overrides?: Overrides<'assistant'>,
): Message<'assistant'> {
  return assistantMessage({ type: 'text', text }, options, overrides);
}

/** An assistant message with thinking. */
export function assistantThinking(
  thinking: string,
  options?: AssistantOptions,
  overrides?: Overrides<'assistant'>,
): Message<'assistant'> {
  return assistantMessage({ type: 'thinking', thinking, signature: 'c2lnbmF0dXJl' }, options, overrides);
}

/** An assistant message with a tool call. */
export function assistantToolUse(
  name: string,
  input: WireObject,
  { toolUseId = makeToolUseId(), ...options }: AssistantOptions & { readonly toolUseId?: string } = {},
  overrides?: Overrides<'assistant'>,
): Message<'assistant'> {
  return assistantMessage({ type: 'tool_use', id: toolUseId, name, input }, options, overrides);
}

/** The message that a CLI creates when the API failed. */
export function assistantApiError(
  text: string,
  error = 'unknown',
  overrides?: Overrides<'assistant'>,
): Message<'assistant'> {
  const { message, ...rest } = assistantMessage({ type: 'text', text }, { model: '<synthetic>' });
  const stopped = { stop_reason: 'stop_sequence', stop_sequence: '', container: null, usage: NO_USAGE };
  return { ...rest, message: { ...message, ...stopped }, error, ...overrides };
}

const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: null,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
} as const;

/** Creates an id for a message of the model. */
export function messageId(): string {
  return `msg_${randomBytes(8).toString('hex')}`;
}

/** Creates an id for a tool call. */
export function makeToolUseId(): string {
  return `toolu_${randomBytes(8).toString('hex')}`;
}
