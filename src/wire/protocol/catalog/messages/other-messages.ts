import { describeMessages } from '../entries.js';

/** Declared messages with a type of their own. */
export const otherMessages = describeMessages('cli', {
  tool_progress: {
    reach: 'declared',
    about: 'A tool call is still running; reports the elapsed seconds.',
  },
  tool_use_summary: {
    reach: 'declared',
    about: 'Summarises several tool calls in a sentence.',
  },
  auth_status: {
    reach: 'account',
    about: 'Reports progress of a sign-in.',
  },
  rate_limit_event: {
    reach: 'account',
    about: 'Reports how close the account is to its limits.',
  },
  prompt_suggestion: {
    reach: 'offline',
    needs: 'initialize.promptSuggestions',
    about: 'Suggests what the user might say next.',
  },
  conversation_reset: {
    reach: 'offline',
    about: 'The conversation was cleared and continues under a new id.',
  },
  active_goal: {
    reach: 'declared',
    about: 'States the goal that the CLI keeps working towards, or that there is none.',
  },
});
