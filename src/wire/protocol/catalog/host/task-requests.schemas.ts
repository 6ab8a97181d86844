import * as z from 'zod';
import { ack, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { taskRequests } from './task-requests.js';

/** Schemas of the requests about background work. */
export const taskSchemas = {
  background_tasks: {
    params: z.looseObject({ tool_use_id: z.string().optional() }),
    answer: z.looseObject({ backgrounded: z.boolean().optional() }),
  },
  stop_task: { params: z.looseObject({ task_id: z.string() }), answer: ack },
  get_task_output: {
    params: z.looseObject({ task_id: z.string() }),
    answer: z.looseObject({ output: z.string(), total_bytes: z.number(), truncated: z.boolean() }),
  },
  ultrareview_launch: {
    params: z.looseObject({ args: z.string(), confirm: z.boolean() }),
    answer: z.looseObject({
      status: z.string().optional(),
      message: z.string().optional(),
      gate_blocker: z.string().optional(),
    }),
  },
} satisfies RequestSchemas<keyof typeof taskRequests>;
