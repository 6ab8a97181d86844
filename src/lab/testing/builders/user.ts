import type { ContentBlock } from '../../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import type { Message } from '../../../wire/protocol/catalog/types.js';
import { built, type Overrides } from './identity.js';

/** The options of a tool result. */
export interface ToolResultOptions {
  /** If left out, the block does not say, as for tools of MCP servers. */
  readonly isError?: boolean | undefined;
  /** The tool call of the subagent. */
  readonly parentToolUseId?: string | null;
  /** The tool's result as data. Default: the content. */
  readonly structured?: unknown;
}

/** The user message that carries the result of a tool. */
export function toolResult(
  toolUseId: string,
  content: unknown,
  { isError, parentToolUseId = null, structured = content }: ToolResultOptions = {},
  overrides?: Overrides<'user'>,
): Message<'user'> {
  const error = isError === undefined ? {} : { is_error: isError };
  return built<'user'>(
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', content, ...error, tool_use_id: toolUseId }],
      },
      parent_tool_use_id: parentToolUseId,
      tool_use_result: isError === true ? `Error: ${content}` : structured,
    },
    overrides,
  );
}

/** A user message that the CLI shows to the host: a note, or a replay with `isReplay`. */
export function userMessage(
  content: string | readonly ContentBlock[],
  overrides?: Overrides<'user'>,
): Message<'user'> {
  return built<'user'>(
    { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null },
    overrides,
  );
}

/** The note that a CLI adds to the conversation after an interrupt. */
export function interruptNote(
  during: 'text' | 'tool' = 'text',
  overrides?: Overrides<'user'>,
): Message<'user'> {
  const text = `[Request interrupted by user${during === 'tool' ? ' for tool use' : ''}]`;
  return userMessage([{ type: 'text', text }], overrides);
}
