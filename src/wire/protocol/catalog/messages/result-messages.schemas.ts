import * as z from 'zod';
import { apiUsage } from '../shapes/model-api-shapes.schemas.js';
import { fastModeState } from '../shapes/offers-shapes.schemas.js';
import { modelUsage } from '../shapes/usage-shapes.schemas.js';
import { anyObject, type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import { causes, origin } from './conversation-messages.schemas.js';
import type { resultMessages } from './result-messages.js';

const terminalReason = open([
  'blocking_limit',
  'rapid_refill_breaker',
  'prompt_too_long',
  'image_error',
  'model_error',
  'api_error',
  'malformed_tool_use_exhausted',
  'aborted_streaming',
  'aborted_tools',
  'stop_hook_prevented',
  'hook_stopped',
  'tool_deferred',
  'max_turns',
  'background_requested',
  'completed',
  'budget_exhausted',
  'structured_output_retry_exhausted',
  'tool_deferred_unavailable',
  'turn_setup_failed',
]);

const permissionDenial = z.looseObject({
  /** The denied tool. */
  tool_name: z.string(),
  /** The id of the tool call. */
  tool_use_id: z.string(),
  /** The input of the tool call. */
  tool_input: anyObject,
});

const number = z.number().optional();

const timings = {
  /** Milliseconds until the first token. */
  ttft_ms: number,
  ttft_stream_ms: number,
  time_to_request_ms: number,
  time_origin_ms: number,
  request_sent_wall_ms: number,
  time_to_request_from_spawn_ms: number,
  first_content_frame_ms: number,
};

const counts = {
  queued_turn_count: number,
  result_index: number,
  safety_stops: number,
  first_request_input_tokens: number,
  first_request_cache_read_input_tokens: number,
};

const shared = {
  type: z.literal('result'),
  /** Whether the turn failed; check this even for `success`. */
  is_error: z.boolean(),
  /** Duration of the turn in milliseconds. */
  duration_ms: z.number(),
  /** Time spent in API calls, in milliseconds. */
  duration_api_ms: z.number(),
  /** The number of model calls in this turn. */
  num_turns: z.number(),
  /** Cost of the session so far, in US dollars. */
  total_cost_usd: z.number(),
  /** Token counts of this turn. */
  usage: apiUsage,
  /** Usage of the session so far, by model. */
  modelUsage: z.record(z.string(), modelUsage),
  model_usage_since_last_result: z.record(z.string(), modelUsage).optional(),
  /** Tool calls that were denied. */
  permission_denials: z.array(permissionDenial),
  /** Why the model stopped. */
  stop_reason: z.string().nullish(),
  /** Why the turn ended; newer CLIs only. */
  terminal_reason: terminalReason.optional(),
  /** HTTP status of a failed API call. */
  api_error_status: z.number().nullish(),
  api_error_type: z.string().nullish(),
  fast_mode_state: fastModeState.optional(),
  fast_mode_disabled_reason: z.string().optional(),
  subagent_stats: anyObject.optional(),
  /** The value that matches the output schema. */
  structured_output: z.unknown().optional(),
  /** The tool call that a hook deferred. */
  deferred_tool_use: z.looseObject({ id: z.string(), name: z.string(), input: z.unknown() }).optional(),
  credential_expires_at: z.unknown().optional(),
  local_command: z.string().optional(),
  warm_spare_claimed: z.boolean().optional(),
  origin: origin.optional(),
  ...timings,
  ...counts,
  ...causes,
  ...stamp,
};

const failed = {
  ...shared,
  /** Error messages; empty on old CLIs. */
  errors: z.array(z.string()),
  startup_failure_reason: z.string().optional(),
  invalid_config_file: anyObject.optional(),
};

/** Schemas of the messages that end a turn. */
export const resultMessageSchemas = {
  'result/success': z.looseObject({
    subtype: z.literal('success'),
    /** The text of the answer, or of the error if `is_error` is true. */
    result: z.string(),
    ...shared,
  }),
  'result/error_during_execution': z.looseObject({
    subtype: z.literal('error_during_execution'),
    ...failed,
  }),
  'result/error_max_turns': z.looseObject({ subtype: z.literal('error_max_turns'), ...failed }),
  'result/error_max_budget_usd': z.looseObject({
    subtype: z.literal('error_max_budget_usd'),
    ...failed,
  }),
  'result/error_max_structured_output_retries': z.looseObject({
    subtype: z.literal('error_max_structured_output_retries'),
    ...failed,
  }),
} satisfies MessageSchemas<keyof typeof resultMessages>;
