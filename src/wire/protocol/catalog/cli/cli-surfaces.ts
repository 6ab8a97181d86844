import { describeCliRequests } from '../entries.js';

/** Requests to a host that draws a prompt box or runs tools on another machine. */
export const surfaceRequests = describeCliRequests({
  ui_copy: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks the host to put a text on the clipboard.',
  },
  ui_prompt_read: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks for the text in the host’s prompt box.',
  },
  ui_prompt_fill: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks the host to write a text into its prompt box.',
  },
  ui_prompt_paint: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks the host to decorate a part of its prompt box.',
  },
  ui_prompt_suggest: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks the host to offer a completion in its prompt box.',
  },
  ui_read_selection: {
    reach: 'declared',
    answer: 'value',
    about: 'Asks what the user has selected in the host.',
  },
  remote_tool_call: {
    reach: 'declared',
    answer: 'never',
    about: 'Addresses a tool on another machine; a host on a pipe must ignore it.',
  },
  remote_plumbing_call: {
    reach: 'declared',
    answer: 'never',
    about: 'Addresses internals of tools on another machine; not for hosts on a pipe.',
  },
  remote_tools_probe: {
    reach: 'declared',
    answer: 'never',
    about: 'Looks for machines that offer tools.',
  },
  remote_tools_reannounce: {
    reach: 'declared',
    answer: 'never',
    about: 'Asks machines that offer tools to announce themselves again.',
  },
});
