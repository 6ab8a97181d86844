import * as z from 'zod';
import { modelUsage } from '../shapes/usage-shapes.schemas.js';
import { anyObject, noParams, type RequestSchemas, type Schema } from '../shapes/values-shapes.schemas.js';
import type { reportRequests } from './report-requests.js';

const tokens = z.number();

const contextUsageSchema = z.looseObject({
  categories: z.array(
    z.looseObject({
      id: z.string().optional(),
      name: z.string(),
      tokens,
      color: z.string(),
      isDeferred: z.boolean().optional(),
      kind: z.string().optional(),
    }),
  ),
  totalTokens: z.number(),
  maxTokens: z.number(),
  rawMaxTokens: z.number(),
  percentage: z.number(),
  gridRows: z.array(z.array(anyObject)),
  model: z.string(),
  memoryFiles: z.array(anyObject),
  mcpTools: z.array(anyObject),
  mcpInstructions: z.array(anyObject).optional(),
  deferredBuiltinTools: z.array(anyObject).optional(),
  systemTools: z.array(anyObject).optional(),
  systemPromptSections: z.array(anyObject).optional(),
  agents: z.array(anyObject),
  slashCommands: z
    .looseObject({ totalCommands: z.number(), includedCommands: z.number(), tokens })
    .optional(),
  skills: z
    .looseObject({
      totalSkills: z.number(),
      includedSkills: z.number(),
      tokens,
      skillFrontmatter: z.array(z.looseObject({ name: z.string(), source: z.string(), tokens })),
    })
    .optional(),
  autoCompactThreshold: z.number().optional(),
  autocompactSource: z.string().optional(),
  isAutoCompactEnabled: z.boolean(),
  messageBreakdown: anyObject.optional(),
  apiUsage: anyObject.nullable(),
});

/** The contents of the context window. */
export interface ContextUsage extends z.infer<typeof contextUsageSchema> {}
/** Schema of what fills the context window. */
const contextUsage: Schema<ContextUsage> = contextUsageSchema;

/** Schemas of the requests that only report. */
export const reportSchemas = {
  get_context_usage: {
    params: z.looseObject({ detail: z.enum(['summary', 'full']).optional() }),
    answer: contextUsage,
  },
  get_usage: {
    params: z.looseObject({ skip_behaviors: z.boolean().optional() }),
    answer: z.looseObject({
      session: z.looseObject({
        total_cost_usd: z.number(),
        total_api_duration_ms: z.number(),
        total_duration_ms: z.number(),
        total_lines_added: z.number(),
        total_lines_removed: z.number(),
        model_usage: z.record(z.string(), modelUsage),
      }),
      subscription_type: z.string().nullable(),
      rate_limits_available: z.boolean(),
      rate_limits: anyObject.nullable(),
      behaviors: anyObject.nullish(),
    }),
  },
  get_session_cost: { params: noParams, answer: z.looseObject({ text: z.string() }) },
  get_binary_version: {
    params: noParams,
    answer: z.looseObject({
      version: z.string(),
      buildTime: z.string(),
      oldestDesktopSdk: z.string().optional(),
    }),
  },
  get_status: {
    params: noParams,
    answer: z.looseObject({
      sections: z.array(
        z.looseObject({
          title: z.string(),
          rows: z.array(z.looseObject({ label: z.string().optional(), value: z.unknown() })),
        }),
      ),
    }),
  },
  get_plan: {
    params: noParams,
    answer: z.looseObject({
      exists: z.boolean(),
      content: z.string().optional(),
      path: z.string().optional(),
    }),
  },
} satisfies RequestSchemas<keyof typeof reportRequests>;
