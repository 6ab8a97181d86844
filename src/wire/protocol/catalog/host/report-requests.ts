import { describeHostRequests } from '../entries.js';

/** Requests that only report. */
export const reportRequests = describeHostRequests({
  get_context_usage: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Breaks down what fills the context window.',
  },
  get_usage: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Reports cost and time of the session, and the limits of the account if there is one.',
  },
  get_session_cost: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the cost of the session as readable text.',
  },
  get_binary_version: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the version and build time of the running program.',
  },
  get_status: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the rows of the status page.',
  },
  get_plan: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the plan that the model has written, if any.',
  },
});
