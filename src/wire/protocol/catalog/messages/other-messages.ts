import { describeMessages, LATEST, NEVER } from '../entries.js';

/** Declared messages with a type of their own. */
export const otherMessages = describeMessages('cli', {
  tool_progress: {
    seen: NEVER,
    reach: 'declared',
    about: 'A tool call is still running; reports the elapsed seconds.',
  },
  tool_use_summary: {
    seen: NEVER,
    reach: 'declared',
    about: 'Summarises several tool calls in a sentence.',
  },
  auth_status: {
    seen: NEVER,
    reach: 'account',
    about: 'Reports progress of a sign-in.',
  },
  rate_limit_event: {
    seen: NEVER,
    reach: 'account',
    about: 'Reports how close the account is to its limits.',
  },
  prompt_suggestion: {
    seen: LATEST,
    reach: 'offline',
    needs: 'initialize.promptSuggestions',
    about: 'Suggests what the user might say next.',
  },
  conversation_reset: {
    seen: LATEST,
    reach: 'offline',
    about: 'The conversation was cleared and continues under a new id.',
  },
  active_goal: {
    seen: NEVER,
    reach: 'declared',
    about: 'States the goal that the CLI keeps working towards, or that there is none.',
  },
});
