import * as z from 'zod';
import { ack, anyObject, noParams, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { accountRequests } from './account-requests.js';

const feedbackAnswer = z.looseObject({
  feedback_id: z.string().nullish(),
  unavailable_reason: z.string().optional(),
});

/** Schemas of the requests that sign in, send feedback or reach the vendor's services. */
export const accountSchemas = {
  remote_control: {
    params: z.looseObject({
      enabled: z.boolean(),
      name: z.string().optional(),
      reattach_session_id: z.string().optional(),
      keep_session_on_exit: z.boolean().optional(),
      work_secret: z.unknown().optional(),
    }),
    answer: z.looseObject({ bridge_session_id: z.string().optional() }),
  },
  submit_feedback: {
    params: z.looseObject({
      description: z.string(),
      surface: z.string().optional(),
      draft_id: z.string().optional(),
      type: z.string().optional(),
      title: z.string().optional(),
      area: z.string().optional(),
      attach_transcript: z.boolean().optional(),
      save_locally: z.boolean().optional(),
    }),
    answer: feedbackAnswer,
  },
  submit_survey_feedback: { params: anyObject, answer: feedbackAnswer },
  message_rated: {
    params: z.looseObject({
      messageUuid: z.string(),
      sentiment: z.enum(['positive', 'negative']),
      surface: z.enum(['tool_use', 'assistant_text']),
      cleared: z.boolean(),
    }),
    answer: ack,
  },
  claude_authenticate: {
    params: z.looseObject({
      loginWithClaudeAi: z.boolean(),
      consoleProfile: z.unknown().optional(),
    }),
    answer: z.looseObject({
      manualUrl: z.string().optional(),
      automaticUrl: z.string().optional(),
    }),
  },
  claude_oauth_callback: {
    params: z.looseObject({ authorizationCode: z.string(), state: z.string() }),
    answer: anyObject,
  },
  claude_oauth_wait_for_completion: { params: noParams, answer: anyObject },
} satisfies RequestSchemas<keyof typeof accountRequests>;
