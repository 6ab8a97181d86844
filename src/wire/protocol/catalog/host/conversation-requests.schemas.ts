import * as z from 'zod';
import { permissionMode } from '../shapes/permissions-shapes.schemas.js';
import { ack, noParams, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { conversationRequests } from './conversation-requests.js';

/** Schemas of the requests that steer the running conversation. */
export const conversationSchemas = {
  interrupt: {
    params: z.looseObject({ cancel_queued: z.boolean().optional() }),
    answer: z.looseObject({
      still_queued: z.array(z.string()).optional(),
      cancelled: z.array(z.string()).optional(),
    }),
  },
  set_permission_mode: {
    params: z.looseObject({ mode: permissionMode }),
    answer: z.looseObject({ mode: z.string().optional() }),
  },
  set_model: {
    params: z.looseObject({
      model: z.string().nullish(),
      only_if_model_is_current: z.boolean().optional(),
      system_prompt: z.unknown().optional(),
    }),
    answer: z.looseObject({ model: z.string().optional() }),
  },
  set_max_thinking_tokens: {
    params: z.looseObject({
      max_thinking_tokens: z.number().nullish(),
      thinking_display: z.enum(['summarized', 'omitted', 'highlights']).nullish(),
    }),
    answer: ack,
  },
  cancel_async_message: {
    params: z.looseObject({ message_uuid: z.string() }),
    answer: z.looseObject({ cancelled: z.boolean() }),
  },
  rename_session: {
    params: z.looseObject({
      title: z.string(),
      source: z.enum(['remote', 'host']).optional(),
      session_id: z.string().optional(),
    }),
    answer: ack,
  },
  generate_session_title: {
    params: z.looseObject({ description: z.string(), persist: z.boolean().optional() }),
    answer: z.looseObject({ title: z.string().nullable() }),
  },
  side_question: {
    params: z.looseObject({
      question: z.string(),
      history: z
        .array(
          z.looseObject({
            question: z.string(),
            response: z.string(),
            fallback_notice: z.string().optional(),
          }),
        )
        .optional(),
    }),
    answer: z.looseObject({
      response: z.string().nullable(),
      synthetic: z.boolean().optional(),
      refusal_fallback: z
        .looseObject({
          original_model: z.string(),
          fallback_model: z.string(),
          content: z.string().optional(),
        })
        .optional(),
    }),
  },
  export_conversation: {
    params: noParams,
    answer: z.looseObject({ text: z.string(), default_filename: z.string() }),
  },
  fork_conversation: {
    params: noParams,
    answer: z.looseObject({
      forked: z.boolean(),
      error: z.string().optional(),
      reason: z.string().optional(),
    }),
  },
  end_session: { params: z.looseObject({ reason: z.string().optional() }), answer: ack },
  set_has_subscribers: {
    params: z.looseObject({ has_subscribers: z.boolean().nullable() }),
    answer: ack,
  },
  set_color: { params: z.looseObject({ color: z.string() }), answer: ack },
  set_prompt_suggestions_paused: { params: z.looseObject({ paused: z.boolean() }), answer: ack },
} satisfies RequestSchemas<keyof typeof conversationRequests>;
