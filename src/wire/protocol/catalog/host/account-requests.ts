import { describeHostRequests } from '../entries.js';

/** Requests that sign in, send feedback or reach the vendor's services. */
export const accountRequests = describeHostRequests({
  remote_control: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Allows or stops controlling the session from the vendor’s apps.',
  },
  submit_feedback: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Sends product feedback to the vendor.',
  },
  submit_survey_feedback: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Sends the answers of a survey to the vendor.',
  },
  message_rated: {
    reach: 'account',
    answer: 'ack',
    about: 'Records that a user liked or disliked a message.',
  },
  claude_authenticate: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Starts a sign-in to the vendor and returns the addresses to open.',
  },
  claude_oauth_callback: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Completes the sign-in with the code shown to the user.',
  },
  claude_oauth_wait_for_completion: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 600_000,
    about: 'Waits until the current sign-in has ended.',
  },
});
