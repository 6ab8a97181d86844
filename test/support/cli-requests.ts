import type { RequestBody } from '../../src/wire/protocol/frames.js';

/** The CLI's requests to its host, by the kind of the callback that answers them. */
export const CLI_REQUESTS = {
  permission: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' },
  question: {
    subtype: 'can_use_tool',
    tool_name: 'AskUserQuestion',
    input: { questions: [] },
    tool_use_id: 't',
  },
  plan: { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input: {}, tool_use_id: 't' },
  elicitation: { subtype: 'elicitation', mcp_server_name: 's', message: 'm' },
  dialog: { subtype: 'request_user_dialog', dialog_kind: 'd', payload: 1 },
  hook: { subtype: 'hook_callback', callback_id: 'hook_0', input: {} },
} as const satisfies Readonly<Record<string, RequestBody>>;
