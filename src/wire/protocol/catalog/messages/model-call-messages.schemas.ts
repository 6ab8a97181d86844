import * as z from 'zod';
import { type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { modelCallMessages } from './model-call-messages.js';

const type = z.literal('system');

const refusal = {
  original_model: z.string(),
  request_id: z.string().nullish(),
  api_refusal_category: z.string().nullish(),
  api_refusal_explanation: z.string().nullish(),
  refused_user_message_uuid: z.string().optional(),
  content: z.string(),
};

/** Schemas of the system messages about calls to the model. */
export const modelCallMessageSchemas = {
  'system/api_retry': z.looseObject({
    type,
    subtype: z.literal('api_retry'),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullable(),
    error: z.string(),
    no_response: z.looseObject({ waited_ms: z.number(), retry_wait_ms: z.number() }).optional(),
    ...stamp,
  }),
  'system/control_request_progress': z.looseObject({
    type,
    subtype: z.literal('control_request_progress'),
    request_id: z.string(),
    status: open(['started', 'api_retry']),
    attempt: z.number().optional(),
    max_retries: z.number().optional(),
    retry_delay_ms: z.number().optional(),
    error_status: z.number().nullish(),
    ...stamp,
  }),
  'system/model_refusal_fallback': z.looseObject({
    type,
    subtype: z.literal('model_refusal_fallback'),
    trigger: z.string(),
    direction: z.string(),
    scope: z.string().optional(),
    fallback_model: z.string(),
    retracted_message_uuids: z.array(z.string()).optional(),
    ...refusal,
    ...stamp,
  }),
  'system/model_refusal_no_fallback': z.looseObject({
    type,
    subtype: z.literal('model_refusal_no_fallback'),
    ...refusal,
    ...stamp,
  }),
  'system/thinking_tokens': z.looseObject({
    type,
    subtype: z.literal('thinking_tokens'),
    estimated_tokens: z.number(),
    estimated_tokens_delta: z.number(),
    user_message_uuid: z.string().optional(),
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof modelCallMessages>;
