import * as z from 'zod';
import { anyObject, open } from './shapes/values-shapes.schemas.js';

/** The common input fields of all hook events. */
export const hookInputBase = {
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  prompt_id: z.string().optional(),
  permission_mode: z.string().optional(),
  agent_id: z.string().optional(),
  agent_type: z.string().optional(),
  effort: z.looseObject({ level: open(['low', 'medium', 'high', 'xhigh', 'max']) }).optional(),
};

const asyncOutput = z.looseObject({ async: z.literal(true), asyncTimeout: z.number().optional() });

const commonOutput = {
  continue: z.boolean().optional(),
  suppressOutput: z.boolean().optional(),
  stopReason: z.string().optional(),
  decision: z.enum(['approve', 'block']).optional(),
  systemMessage: z.string().optional(),
  terminalSequence: z.string().optional(),
  reason: z.string().optional(),
};

const plainOutput = z.looseObject(commonOutput);

/** The answer of a hook that reports its result later. */
export interface AsyncHookOutput extends z.infer<typeof asyncOutput> {}
/** The part of a hook's answer that all events share. */
export interface SyncHookOutput extends z.infer<typeof plainOutput> {}

/** Schema of a hook's answer, including the fields of one event. */
export interface HookOutputSchema<Specific>
  extends z.ZodType<AsyncHookOutput | (SyncHookOutput & { hookSpecificOutput?: Specific | undefined })> {}

/** Creates the schema of a hook's answer from the fields of one event. */
export function hookOutputFor<Event extends string, Shape extends z.core.$ZodLooseShape>(
  event: Event,
  shape: Shape,
) {
  const specific = z.looseObject({ hookEventName: z.literal(event), ...shape });
  return outputWith(specific);
}

/** Schema of a hook's answer for events without fields of their own. */
export const plainHookOutput: HookOutputSchema<undefined> = outputWith(z.undefined());

/** Schema of any hook's answer. */
export const hookOutput: HookOutputSchema<Record<string, unknown>> = outputWith(anyObject);

function outputWith<Specific>(specific: z.ZodType<Specific>): HookOutputSchema<Specific> {
  return z.union([asyncOutput, z.looseObject({ ...commonOutput, hookSpecificOutput: specific.optional() })]);
}
