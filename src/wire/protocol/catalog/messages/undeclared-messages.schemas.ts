import * as z from 'zod';
import { anyObject, type MessageSchemas, open, stamp } from '../shapes/values-shapes.schemas.js';
import type { undeclaredMessages } from './undeclared-messages.js';

const type = z.literal('system');

/** Schemas of the messages that no public declaration mentions; most of them are known by name only. */
export const undeclaredMessageSchemas = {
  transcript_mirror: z.looseObject({
    type: z.literal('transcript_mirror'),
    filePath: z.string(),
    entries: z.array(anyObject),
  }),
  autocompact_state: z.looseObject({ type: z.literal('autocompact_state') }),
  'system/post_turn_summary': z.looseObject({ type, subtype: z.literal('post_turn_summary') }),
  'system/task_summary': z.looseObject({ type, subtype: z.literal('task_summary') }),
  'system/session_metadata': z.looseObject({ type, subtype: z.literal('session_metadata') }),
  command_lifecycle: z.looseObject({
    type: z.literal('command_lifecycle'),
    command_uuid: z.string(),
    state: open(['queued', 'started', 'completed', 'cancelled']),
    ...stamp,
  }),
  'system/session_title_changed': z.looseObject({
    type,
    subtype: z.literal('session_title_changed'),
    title: z.string(),
    ...stamp,
  }),
  sources_changed: z.looseObject({ type: z.literal('sources_changed') }),
  'system/checkpoint_done': z.looseObject({ type, subtype: z.literal('checkpoint_done') }),
  permission_check_status: z.looseObject({ type: z.literal('permission_check_status') }),
  dev_intent: z.looseObject({ type: z.literal('dev_intent') }),
  'system/ui_invalidate': z.looseObject({
    type,
    subtype: z.literal('ui_invalidate'),
    event: z.string(),
    ...stamp,
  }),
} satisfies MessageSchemas<keyof typeof undeclaredMessages>;
