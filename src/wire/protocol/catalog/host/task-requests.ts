import { describeHostRequests } from '../entries.js';

/** Requests about background work. */
export const taskRequests = describeHostRequests({
  background_tasks: {
    reach: 'offline',
    answer: 'value',
    about: 'Moves running foreground work to the background, one tool call or all of them.',
    caution: 'A tool call can be moved only once its task_started message was sent, seconds after its start.',
  },
  stop_task: {
    reach: 'offline',
    answer: 'value',
    about: 'Ends one background task.',
    caution: 'An unknown id gets the same answer as a known one.',
  },
  get_task_output: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the last part of a background command’s output.',
  },
  ultrareview_launch: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Starts a review of the work in the vendor’s cloud.',
  },
});
