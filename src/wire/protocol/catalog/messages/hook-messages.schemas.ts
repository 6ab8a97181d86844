import * as z from 'zod';
import { type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { hookMessages } from './hook-messages.js';

const hook = {
  type: z.literal('system'),
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
  ...stamp,
};

const printed = { stdout: z.string(), stderr: z.string(), output: z.string() };

/** Schemas of the system messages about hooks that are commands. */
export const hookMessageSchemas = {
  'system/hook_started': z.looseObject({ subtype: z.literal('hook_started'), ...hook }),
  'system/hook_progress': z.looseObject({ subtype: z.literal('hook_progress'), ...hook, ...printed }),
  'system/hook_response': z.looseObject({
    subtype: z.literal('hook_response'),
    exit_code: z.number().optional(),
    outcome: open(['success', 'error', 'cancelled']),
    ...hook,
    ...printed,
  }),
} satisfies MessageSchemas<keyof typeof hookMessages>;
