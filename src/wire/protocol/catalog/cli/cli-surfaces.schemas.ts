import * as z from 'zod';
import { anyObject, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { surfaceRequests } from './cli-surfaces.js';

// Their fields are not declared anywhere and were never observed.
const undescribed = { params: anyObject, answer: anyObject };
const unanswered = { params: anyObject, answer: z.undefined() };

/** Schemas of the requests to hosts that draw a prompt box or run tools elsewhere. */
export const surfaceSchemas = {
  ui_copy: undescribed,
  ui_prompt_read: undescribed,
  ui_prompt_fill: undescribed,
  ui_prompt_paint: undescribed,
  ui_prompt_suggest: undescribed,
  ui_read_selection: undescribed,
  remote_tool_call: unanswered,
  remote_plumbing_call: unanswered,
  remote_tools_probe: unanswered,
  remote_tools_reannounce: unanswered,
} satisfies RequestSchemas<keyof typeof surfaceRequests>;
