import * as z from 'zod';
import { open, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { credentialRequests } from './cli-account.js';

/** Schemas of the requests with which the CLI asks its host for credentials. */
export const credentialSchemas = {
  oauth_token_refresh: {
    params: z.looseObject({
      kind: z.string().optional(),
      token_state: open(['refused', 'not_refused']).optional(),
      refused_call: open(['model', 'connector', 'other']).optional(),
    }),
    answer: z.looseObject({
      accessToken: z.string().nullable(),
      reason: z.enum(['signed_out', 'identity_changed', 'transient', 'refresh_failed']).optional(),
    }),
  },
  host_auth_token_refresh: {
    params: z.looseObject({ status: z.unknown() }),
    answer: z.looseObject({ authToken: z.string().optional() }),
  },
  remote_control_work_secret: {
    params: z.looseObject({ session_id: z.string() }),
    answer: z.looseObject({ work_secret: z.unknown() }),
  },
} satisfies RequestSchemas<keyof typeof credentialRequests>;
