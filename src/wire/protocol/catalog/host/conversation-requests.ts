import { describeHostRequests, EVERY, LATEST, NEVER } from '../entries.js';

/** Requests that steer the running conversation. */
export const conversationRequests = describeHostRequests({
  interrupt: {
    seen: EVERY,
    reach: 'offline',
    answer: 'value',
    about: 'Stops the running turn and leaves the session usable; newer CLIs list what is still queued.',
  },
  set_permission_mode: {
    seen: EVERY,
    reach: 'offline',
    answer: 'value',
    about: 'Switches the permission mode from here on.',
    caution:
      '2.0.73 and 2.1.17 answer twice (a refusal is followed by a success: the first one counts), accept any ' +
      'string, and set the mode to undefined if the field is misspelt. A prompt that is already open stays open.',
  },
  set_model: {
    seen: EVERY,
    reach: 'offline',
    answer: 'value',
    about: 'Chooses the model for what follows, or the default one if none is named.',
    caution: 'The name is not checked; old versions apply it from the next turn and answer without a value.',
  },
  set_max_thinking_tokens: {
    seen: EVERY,
    reach: 'offline',
    answer: 'ack',
    about: 'Caps the tokens spent on thinking, or lifts the cap.',
    caution: 'It has no effect on models that think adaptively.',
  },
  cancel_async_message: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Takes back a queued user message by its uuid, if it has not started yet.',
  },
  rename_session: {
    seen: LATEST,
    reach: 'offline',
    answer: 'ack',
    about: 'Gives the session a title; the CLI announces it with a message of its own.',
  },
  generate_session_title: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Has a model invent a title from a description.',
  },
  side_question: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    deadlineMs: 180_000,
    about: 'Asks the model something beside the conversation, in a model call of its own.',
  },
  export_conversation: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Returns the conversation as plain text with a name for the file.',
  },
  fork_conversation: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Splits off a copy of the conversation where the surface supports it; a plain pipe does not.',
  },
  end_session: {
    seen: LATEST,
    reach: 'offline',
    answer: 'ack',
    about: 'Ends the session from inside: the CLI answers and then exits.',
    caution: 'In the middle of a turn it interrupts first, and the exit code is then 1.',
  },
  set_has_subscribers: {
    seen: LATEST,
    reach: 'offline',
    answer: 'ack',
    about: 'Tells the CLI whether anybody is watching.',
  },
  set_color: {
    seen: NEVER,
    reach: 'declared',
    answer: 'ack',
    about: 'Paints the session in a colour on surfaces that show one; a plain pipe refuses it.',
  },
  set_prompt_suggestions_paused: {
    seen: LATEST,
    reach: 'offline',
    answer: 'ack',
    about: 'Holds back or lets through suggestions for the next prompt.',
  },
});
