import * as z from 'zod';
import { taskUsage } from '../shapes/usage-shapes.schemas.js';
import { type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { taskMessages } from './task-messages.js';

const task = {
  type: z.literal('system'),
  task_id: z.string(),
  run_id: z.string().optional(),
  ...stamp,
};

const ofCall = {
  tool_use_id: z.string().optional(),
  subagent_type: z.string().optional(),
};

/** Schemas of the system messages about background work. */
export const taskMessageSchemas = {
  'system/task_started': z.looseObject({
    subtype: z.literal('task_started'),
    description: z.string(),
    is_backgrounded: z.boolean().optional(),
    spawn_depth: z.number().optional(),
    parent_task_id: z.string().optional(),
    task_type: z.string().optional(),
    workflow_name: z.string().optional(),
    prompt: z.string().optional(),
    skip_transcript: z.boolean().optional(),
    ambient: z.boolean().optional(),
    owned_by_subagent: z.boolean().optional(),
    ...task,
    ...ofCall,
  }),
  'system/task_progress': z.looseObject({
    subtype: z.literal('task_progress'),
    description: z.string(),
    usage: taskUsage,
    last_tool_name: z.string().optional(),
    summary: z.string().optional(),
    ...task,
    ...ofCall,
  }),
  'system/task_updated': z.looseObject({
    subtype: z.literal('task_updated'),
    patch: z.looseObject({
      status: z.string().optional(),
      description: z.string().optional(),
      end_time: z.number().optional(),
      total_paused_ms: z.number().optional(),
      error: z.string().optional(),
      is_backgrounded: z.boolean().optional(),
    }),
    ...task,
  }),
  'system/task_notification': z.looseObject({
    subtype: z.literal('task_notification'),
    status: open(['completed', 'failed', 'stopped']),
    reason: z.string().optional(),
    output_file: z.string(),
    summary: z.string(),
    summary_is_report: z.boolean().optional(),
    usage: taskUsage.optional(),
    resource_links: z.array(z.unknown()).optional(),
    skip_transcript: z.boolean().optional(),
    ambient: z.boolean().optional(),
    ...task,
    ...ofCall,
  }),
  'system/background_tasks_changed': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('background_tasks_changed'),
    tasks: z.array(
      z.looseObject({
        task_id: z.string(),
        run_id: z.string().optional(),
        task_type: z.string(),
        subagent_type: z.string().optional(),
        description: z.string(),
        parent_task_id: z.string().optional(),
        ambient: z.boolean().optional(),
      }),
    ),
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof taskMessages>;
