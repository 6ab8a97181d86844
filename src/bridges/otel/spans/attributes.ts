import type { TokenCount } from '../../../wire/protocol/reading/token-count.js';
import type { SpanAttributes } from './span-sink.js';

/** The attributes of every span. */
export function operation(name: 'invoke_agent' | 'chat' | 'execute_tool'): SpanAttributes {
  return { 'gen_ai.operation.name': name, 'gen_ai.provider.name': 'anthropic' };
}

/** Tokens under the names of the conventions, which count cached tokens as input too. */
export function tokenAttributes(usage: TokenCount): SpanAttributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens(usage),
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheCreationInputTokens,
  };
}

/** All input tokens of the model. */
export function inputTokens(usage: TokenCount): number {
  return usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens;
}

/** The maximum length of content in an attribute. */
const MOST_CONTENT = 32_768;

/** Content as an attribute: JSON, truncated if it is long. */
export function contentText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= MOST_CONTENT ? text : `${text.slice(0, MOST_CONTENT)}…`;
}

/** A message in the format of the conventions. */
export function messageText(role: 'user' | 'assistant', content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const parts = blocks.map((block) => (typeof block === 'string' ? { type: 'text', content: block } : block));
  return contentText([{ role, parts }]);
}
