import * as z from 'zod';
import type { Schema } from './values-shapes.schemas.js';

const modelUsageSchema = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  webSearchRequests: z.number(),
  costUSD: z.number(),
  contextWindow: z.number(),
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
