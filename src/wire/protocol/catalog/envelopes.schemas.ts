import * as z from 'zod';
import { anyObject } from './shapes/values-shapes.schemas.js';

const pending = {
  pending_permission_requests: z.array(anyObject).optional(),
  pending_user_dialog_requests: z.array(anyObject).optional(),
  pending_elicitation_requests: z.array(anyObject).optional(),
};

/** Schemas of the envelopes of control frames, by the `type` of the frame. */
export const envelopeSchemas = {
  control_request: z.looseObject({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: anyObject,
  }),
  control_response: z.looseObject({
    type: z.literal('control_response'),
    response: z.discriminatedUnion('subtype', [
      z.looseObject({
        subtype: z.literal('success'),
        request_id: z.string(),
        response: z.unknown().optional(),
        ...pending,
      }),
      z.looseObject({
        subtype: z.literal('error'),
        request_id: z.string(),
        error: z.string(),
        error_code: z.string().optional(),
        /** The model that stays in use, after a refused `set_model`. */
        model: z.string().optional(),
        ...pending,
      }),
    ]),
  }),
  control_cancel_request: z.looseObject({
    type: z.literal('control_cancel_request'),
    request_id: z.string(),
  }),
  keep_alive: z.looseObject({ type: z.literal('keep_alive'), startup_mark: z.string().optional() }),
};
