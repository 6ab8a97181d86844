import * as z from 'zod';
import { anyObject, type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { otherMessages } from './other-messages.js';

/** Schemas of the declared messages with a type of their own. */
export const otherMessageSchemas = {
  tool_progress: z.looseObject({
    type: z.literal('tool_progress'),
    /** The id of the tool call. */
    tool_use_id: z.string(),
    /** The running tool. */
    tool_name: z.string(),
    parent_tool_use_id: z.string().nullable(),
    /** How long it has been running, in seconds. */
    elapsed_time_seconds: z.number(),
    task_id: z.string().optional(),
    heartbeat: z.boolean().optional(),
    subagent_type: z.string().optional(),
    subagent_retry: anyObject.optional(),
    ...stamp,
  }),
  tool_use_summary: z.looseObject({
    type: z.literal('tool_use_summary'),
    summary: z.string(),
    preceding_tool_use_ids: z.array(z.string()),
    ...stamp,
  }),
  auth_status: z.looseObject({
    type: z.literal('auth_status'),
    isAuthenticating: z.boolean(),
    output: z.array(z.string()),
    error: z.string().optional(),
    ...stamp,
  }),
  rate_limit_event: z.looseObject({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.looseObject({
      /** Whether requests are allowed, such as `allowed`, `allowed_warning` or `rejected`. */
      status: z.string(),
      /** When the limit resets, in seconds since 1970. */
      resetsAt: z.number().optional(),
      /** Which limit it is, such as `five_hour`. */
      rateLimitType: z.string().optional(),
      /** The used share of the limit; some versions report it only when the limit is close. */
      utilization: z.number().optional(),
      /** All limits of the account by name, such as `five_hour` and `seven_day`. */
      unifiedWindows: z
        .record(
          z.string(),
          z.looseObject({
            /** The used share. */
            utilization: z.number(),
            /** When it resets, in seconds since 1970. */
            resetsAt: z.number().optional(),
            status: z.string().optional(),
            surpassedThreshold: z.number().optional(),
          }),
        )
        .optional(),
      overageStatus: z.string().optional(),
      overageResetsAt: z.number().optional(),
      overageDisabledReason: z.string().optional(),
      /** Whether usage beyond the limit is being billed. */
      isUsingOverage: z.boolean().optional(),
      overageInUse: z.boolean().optional(),
      overageEnabled: z.boolean().optional(),
      surpassedThreshold: z.number().optional(),
      limitScope: z.string().optional(),
      errorCode: z.string().optional(),
      canUserPurchaseCredits: z.boolean().optional(),
      hasChargeableSavedPaymentMethod: z.boolean().optional(),
    }),
    ...stamp,
  }),
  prompt_suggestion: z.looseObject({
    type: z.literal('prompt_suggestion'),
    /** The suggested prompt. */
    suggestion: z.string(),
    ...stamp,
  }),
  conversation_reset: z.looseObject({
    type: z.literal('conversation_reset'),
    /** The new id of the conversation. */
    new_conversation_id: z.string(),
    trigger: open(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding']).optional(),
    user_message_uuid: z.string().optional(),
    timestamp: z.string().optional(),
    ...stamp,
  }),
  active_goal: z.looseObject({
    type: z.literal('active_goal'),
    value: z
      .looseObject({
        condition: z.string(),
        iterations: z.number(),
        set_at: z.unknown(),
        tokens_at_start: z.number(),
        last_reason: z.string().optional(),
      })
      .nullable(),
    uuid: z.string().optional(),
    session_id: z.string().optional(),
  }),
} satisfies MessageSchemas<keyof typeof otherMessages>;
