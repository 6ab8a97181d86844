import type { Handlers } from './request-handler.js';

/** Requests that need an account, answered as a CLI answers that has only an API key. */
export const accountHandlers: Handlers = {
  remote_control: (request) => {
    if (request.body.enabled === true) request.refuse('Remote control needs a login');
    else request.succeed();
  },
  submit_feedback: (request) =>
    request.succeed({ feedback_id: null, unavailable_reason: 'Feedback is disabled' }),
  submit_survey_feedback: (request) => {
    request.succeed({ feedback_id: null, unavailable_reason: 'Feedback is disabled' });
  },
  message_rated: (request) => request.succeed({}),
  claude_authenticate: (request) => request.refuse('Signing in is not possible here'),
  claude_oauth_callback: (request) => request.refuse('No sign-in is under way'),
  claude_oauth_wait_for_completion: (request) => request.refuse('No sign-in is under way'),
  ultrareview_launch: (request) => request.refuse('A review needs a login'),
  channel_enable: (request) => {
    request.refuse(
      `server ${request.body.serverName} is not plugin-sourced; channel_enable requires a plugin`,
    );
  },
  mcp_authenticate: (request) => request.refuse('Server type "sdk" does not support OAuth authentication'),
  mcp_clear_auth: (request) => request.refuse('Cannot clear auth for server type "sdk"'),
  mcp_oauth_callback_url: (request) => {
    request.refuse(`No active OAuth flow for server: ${request.body.serverName}`);
  },
};
