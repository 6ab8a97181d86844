import { describeHostRequests, LATEST } from '../entries.js';

/** Requests that sign in, send feedback or reach the vendor's services. */
export const accountRequests = describeHostRequests({
  remote_control: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Allows or stops controlling the session from the vendor’s apps.',
  },
  submit_feedback: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Sends product feedback to the vendor.',
  },
  submit_survey_feedback: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Sends the answers of a survey to the vendor.',
  },
  message_rated: {
    seen: LATEST,
    reach: 'account',
    answer: 'ack',
    about: 'Records that a user liked or disliked a message.',
  },
  claude_authenticate: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Starts a sign-in to the vendor and returns the addresses to open.',
  },
  claude_oauth_callback: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Completes the sign-in with the code shown to the user.',
  },
  claude_oauth_wait_for_completion: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    deadlineMs: 600_000,
    about: 'Waits until the current sign-in has ended.',
  },
});
