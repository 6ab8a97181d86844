import { systemMessage } from '../../builders/system.js';
import { acknowledge } from './conversation-requests.js';
import type { Handlers } from './request-handler.js';

/** Requests about the session as a whole that only newer CLIs serve. */
export const sessionHandlers: Handlers = {
  cancel_async_message: (request, { turns }) => {
    request.succeed({ cancelled: turns.cancel(String(request.body.message_uuid)) });
  },
  rename_session: async (request, cli) => {
    const { title } = request.body;
    if (typeof title !== 'string') {
      request.refuse('rename_session: title must be a string');
      return;
    }
    cli.state.title = title;
    await cli.send(systemMessage('session_title_changed', { title, session_id: cli.state.sessionId }));
    request.succeed();
  },
  generate_session_title: (request) => request.succeed({ title: null }),
  side_question: async (request, cli) => {
    const progress = { request_id: request.id, status: 'started', session_id: cli.state.sessionId };
    await cli.send(systemMessage('control_request_progress', progress));
    request.succeed({ response: `An emulated answer to: ${request.body.question}`, synthetic: false });
  },
  export_conversation: (request, { state }) => {
    request.succeed({ text: '', default_filename: `${state.sessionId}.txt` });
  },
  fork_conversation: (request) => {
    request.succeed({ forked: false, error: 'unsupported', reason: 'unsupported' });
  },
  end_session: (request, cli) => {
    request.succeed();
    cli.leave({ idle: 0, busy: 1 });
  },
  claim_session: (request) => request.refuse('not_a_spare: this process was not started as a spare'),
  set_has_subscribers: acknowledge,
  set_prompt_suggestions_paused: acknowledge,
};
