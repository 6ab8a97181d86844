import { describeHostRequests } from '../entries.js';

/** Requests that steer the running conversation. */
export const conversationRequests = describeHostRequests({
  interrupt: {
    reach: 'offline',
    answer: 'value',
    about:
      'Stops the running turn and keeps the session usable; newer CLIs list the messages that are still queued.',
  },
  set_permission_mode: {
    reach: 'offline',
    answer: 'value',
    about: 'Switches the permission mode.',
    caution:
      '2.0.73 and 2.1.17 answer twice (a refusal is followed by a success: the first one counts), accept any ' +
      'string, and set the mode to undefined if the field is misspelt. A prompt that is already open stays open.',
  },
  set_model: {
    reach: 'offline',
    answer: 'value',
    about: 'Sets the model for the next turns, or the default model if none is given.',
    caution: 'The name is not checked; old versions apply it from the next turn and answer without a value.',
  },
  set_max_thinking_tokens: {
    reach: 'offline',
    answer: 'ack',
    about: 'Limits the tokens spent on thinking, or removes the limit.',
    caution: 'It has no effect on models with adaptive thinking.',
  },
  cancel_async_message: {
    reach: 'offline',
    answer: 'value',
    about: 'Cancels a queued user message by its uuid, if it has not started yet.',
  },
  rename_session: {
    reach: 'offline',
    answer: 'ack',
    about: 'Sets the title of the session; the CLI announces it with a message.',
  },
  generate_session_title: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Asks a model to create a title from a description.',
  },
  side_question: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 180_000,
    about: 'Asks the model a question outside the conversation, in a separate model call.',
  },
  export_conversation: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the conversation as plain text, with a file name.',
  },
  fork_conversation: {
    reach: 'offline',
    answer: 'value',
    about: 'Forks the conversation if the surface supports it; a plain pipe does not.',
  },
  end_session: {
    reach: 'offline',
    answer: 'ack',
    about: 'Ends the session from inside: the CLI answers and then exits.',
    caution: 'In the middle of a turn it interrupts first, and the exit code is then 1.',
  },
  set_has_subscribers: {
    reach: 'offline',
    answer: 'ack',
    about: 'Tells the CLI whether anybody is watching.',
  },
  set_color: {
    reach: 'declared',
    answer: 'ack',
    about: 'Sets the colour of the session on surfaces that show one; over a plain pipe the CLI refuses it.',
  },
  set_prompt_suggestions_paused: {
    reach: 'offline',
    answer: 'ack',
    about: 'Pauses or resumes suggestions for the next prompt.',
  },
});
