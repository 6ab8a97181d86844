import {
  OpenPrompts,
  type OpenPromptsOptions,
  type PromptCallbacks,
} from '../../../../../src/host/session/prompts/open-prompts.js';
import { Cancellation } from '../../../../../src/wire/peer/cancellation.js';
import type { RequestBody } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { requestContext } from '../../../../support/request-context.js';

/** Open prompts whose requests a test makes by hand. */
export function makeBook(callbacks: PromptCallbacks = {}, options: Partial<OpenPromptsOptions> = {}) {
  const clock = new ManualClock();
  const changes: string[] = [];
  const book = new OpenPrompts({
    callbacks,
    manual: false,
    timeouts: {},
    clock,
    onChange: ({ prompt, state }) => changes.push(`${prompt.kind} ${state}`),
    onFailure: () => {},
    ...options,
  });
  let count = 0;
  const nextId = () => {
    count += 1;
    return `c${count}`;
  };
  const ask = (body: RequestBody, id = nextId(), withdrawal = new Cancellation()) => {
    const answer = book.handlers[body.subtype]?.(body, requestContext(id, withdrawal));
    return { answer: Promise.resolve(answer), withdrawal, id };
  };
  return { book, clock, changes, ask };
}

export const bash = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  agent_id: 'a1',
};
export const plan = {
  subtype: 'can_use_tool',
  tool_name: 'ExitPlanMode',
  input: { plan: '1. do it' },
  tool_use_id: 'toolu_p',
};
export const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [{ label: 'Green', description: 'g' }],
  },
  {
    question: 'Which sizes?',
    header: 'Size',
    multiSelect: true,
    options: [{ label: 'S', description: '' }, { label: 'M' }],
  },
];
export const form = {
  subtype: 'can_use_tool',
  tool_name: 'AskUserQuestion',
  input: { questions },
  tool_use_id: 'toolu_q',
};
export const elicitation = {
  subtype: 'elicitation',
  mcp_server_name: 'files',
  message: 'May I?',
  mode: 'form',
  requested_schema: { type: 'object' },
};
export const dialog = { subtype: 'request_user_dialog', dialog_kind: 'trust', payload: { x: 1 } };
