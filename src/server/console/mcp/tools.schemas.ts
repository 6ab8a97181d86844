import { z } from 'zod';
import { answerBody } from '../api/shapes.schemas.js';

const conversation = z.string().describe('The id of the conversation.');
const seconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('How long to wait, in seconds. Default: 60. The turn continues when the time is up.');

/** The parameters of the tools. */
export const toolInputs = {
  list_conversations: z.object({
    state: z
      .string()
      .optional()
      .describe('Only conversations in this state, such as `needs-you` or `running`.'),
  }),
  open_conversation: z.object({
    cwd: z.string().min(1).describe('The folder to work in.'),
    title: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
    permissionMode: z.string().min(1).optional(),
    resume: z.string().min(1).optional().describe('The transcript to resume.'),
  }),
  ask: z.object({
    conversation,
    message: z.string().min(1).describe('The message to send.'),
    timeoutSeconds: seconds,
  }),
  watch: z.object({
    conversation,
    after: z
      .int()
      .nonnegative()
      .optional()
      .describe('`last` of the previous result. Default: only new events.'),
    timeoutSeconds: seconds,
  }),
  answer_prompt: z.object({
    conversation,
    prompt: z.string().min(1).describe('The id of the prompt.'),
    answer: answerBody,
  }),
  interrupt: z.object({ conversation }),
  close_conversation: z.object({ conversation }),
  reopen_conversation: z.object({ conversation }),
};
