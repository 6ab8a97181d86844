import * as z from 'zod';
import type { Schema } from './values-shapes.schemas.js';

const modelUsageSchema = z.looseObject({
  /** Tokens read without the cache. */
  inputTokens: z.number(),
  /** Tokens written by the model. */
  outputTokens: z.number(),
  /** Tokens read from the cache. */
  cacheReadInputTokens: z.number(),
  /** Tokens written to the cache. */
  cacheCreationInputTokens: z.number(),
  /** The number of web searches. */
  webSearchRequests: z.number(),
  /** Cost in US dollars. */
  costUSD: z.number(),
  /** The size of the context window in tokens. */
  contextWindow: z.number(),
  /** The maximum number of output tokens per call. */
  maxOutputTokens: z.number().optional(),
  thinkingTokens: z.number().optional(),
  cacheCreationEphemeral5mInputTokens: z.number().optional(),
  cacheCreationEphemeral1hInputTokens: z.number().optional(),
  canonicalModel: z.string().optional(),
  provider: z.string().optional(),
  costBasis: z.string().optional(),
});

/** What one model has used so far. */
export interface ModelUsage extends z.infer<typeof modelUsageSchema> {}
/** Schema of what one model has used so far. */
export const modelUsage: Schema<ModelUsage> = modelUsageSchema;

/** Schema of what a task has used so far. */
export const taskUsage = z.looseObject({
  total_tokens: z.number(),
  tool_uses: z.number(),
  duration_ms: z.number(),
});
