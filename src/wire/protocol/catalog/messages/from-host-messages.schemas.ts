import * as z from 'zod';
import { userContent } from '../shapes/model-api-shapes.schemas.js';
import type { MessageSchemas } from '../shapes/values-shapes.schemas.js';
import { userFields } from './conversation-messages.schemas.js';
import type { messagesFromHost } from './from-host-messages.js';

/** Schemas of the messages that the host sends. */
export const hostMessageSchemas = {
  user: z.looseObject({
    type: z.literal('user'),
    message: userContent,
    parent_tool_use_id: z.string().nullish(),
    session_id: z.string().optional(),
    uuid: z.string().optional(),
    ...userFields,
  }),
  update_environment_variables: z.looseObject({
    type: z.literal('update_environment_variables'),
    variables: z.record(z.string(), z.string()),
  }),
} satisfies MessageSchemas<keyof typeof messagesFromHost>;
