import { isObject, type WireObject } from '../frames.js';

/** How many tokens a call to the model, or a turn, has used. */
export interface TokenCount {
  /** Tokens read without the cache. */
  readonly inputTokens: number;
  /** Tokens written by the model. */
  readonly outputTokens: number;
  /** Tokens read from the cache. */
  readonly cacheReadInputTokens: number;
  /** Tokens written to the cache. */
  readonly cacheCreationInputTokens: number;
}

/** Reads a `usage` of the Messages API; what is missing counts as zero. */
export function readTokens(usage: unknown): TokenCount {
  const given = isObject(usage) ? usage : {};
  return {
    inputTokens: numberIn(given, 'input_tokens'),
    outputTokens: numberIn(given, 'output_tokens'),
    cacheReadInputTokens: numberIn(given, 'cache_read_input_tokens'),
    cacheCreationInputTokens: numberIn(given, 'cache_creation_input_tokens'),
  };
}

/** The higher of both counts: a call is reported several times, and not every report has every number. */
export function higherTokens(a: TokenCount, b: TokenCount): TokenCount {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    cacheReadInputTokens: Math.max(a.cacheReadInputTokens, b.cacheReadInputTokens),
    cacheCreationInputTokens: Math.max(a.cacheCreationInputTokens, b.cacheCreationInputTokens),
  };
}

/** All tokens of a count. */
export function totalTokens(count: TokenCount): number {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = count;
  return inputTokens + outputTokens + cacheReadInputTokens + cacheCreationInputTokens;
}

/** A number of a wire object; zero if there is none. */
export function numberIn(object: WireObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
