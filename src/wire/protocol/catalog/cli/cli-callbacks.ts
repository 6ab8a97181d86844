import { describeCliRequests } from '../entries.js';

/** Requests with which the CLI calls back into its host. */
export const callbackRequests = describeCliRequests({
  can_use_tool: {
    reach: 'offline',
    answer: 'value',
    needs: '--permission-prompt-tool stdio',
    about:
      'Asks whether a tool may run with this input; questions to the user and finished plans use it too.',
    caution:
      '2.0.73 and 2.1.17 need `updatedInput` on allow and `message` on deny. Keep `questions` in the input of ' +
      'AskUserQuestion. Without an answer the turn waits forever.',
  },
  hook_callback: {
    reach: 'offline',
    answer: 'value',
    needs: 'initialize.hooks',
    about: 'Runs one registered hook callback with the input of its event.',
    caution:
      'After its timeout 2.0.73 and 2.1.17 run the tool anyway, 2.1.326 blocks it. `tool_use_id` is filled in ' +
      'even if no tool is involved.',
  },
  mcp_message: {
    reach: 'offline',
    answer: 'value',
    needs: 'an in-process MCP server',
    about: 'Carries a JSON-RPC message to an in-process server and expects the reply in the answer.',
    caution: 'Notifications and responses need an answer too, or the first turn stalls for a minute.',
  },
  elicitation: {
    reach: 'offline',
    answer: 'value',
    about: 'Passes on an MCP server’s request for user input, as a form or as an address to open.',
  },
  request_user_dialog: {
    reach: 'declared',
    answer: 'value',
    needs: 'initialize.supportedDialogKinds',
    about: 'Asks the host to show one of the dialogs that it supports.',
  },
});
