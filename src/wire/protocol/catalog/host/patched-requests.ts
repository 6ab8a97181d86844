import { describeHostRequests } from '../entries.js';

/** Names that appear in documents about patched CLIs but that no released version supports. */
export const patchedRequests = describeHostRequests({
  mcp_tools: {
    reach: 'declared',
    answer: 'value',
    about: 'Lists the tools of a server on patched CLIs; the status list of newer ones names them instead.',
  },
  mcp_disable: {
    reach: 'declared',
    answer: 'value',
    about: 'Disables a server on patched CLIs; mcp_toggle replaced it.',
  },
  mcp_enable: {
    reach: 'declared',
    answer: 'value',
    about: 'Enables a server again on patched CLIs; mcp_toggle replaced it.',
  },
  agent_run_to_background: {
    reach: 'declared',
    answer: 'ack',
    about: 'Sends a running agent to the background on patched CLIs; background_tasks replaced it.',
  },
  get_chrome_status: {
    reach: 'declared',
    answer: 'value',
    about:
      'Reports the state of the Chrome extension on patched CLIs; get_chrome_dialog is the closest equivalent today.',
  },
  set_proactive: {
    reach: 'declared',
    answer: 'ack',
    about: 'Would let the model act on its own; it has a name, but no CLI supports it.',
  },
});
