import { describeMessages } from '../entries.js';

/** Messages that are the conversation itself. */
export const conversationMessages = describeMessages('cli', {
  assistant: {
    reach: 'offline',
    about: 'A finished content block of the model; blocks of one API message share its id.',
    caution: 'On 2.1.326 `stop_reason` is null and `usage` is the one from the start of the message.',
  },
  user: {
    reach: 'offline',
    about: 'Content that goes back to the model: tool results, interrupt notes, subagent prompts.',
  },
  'user/replay': {
    reach: 'offline',
    about: 'An echo of a user message, or the output of a local command; it is not a turn.',
    caution: '2.1.326 sends one after set_model even without --replay-user-messages.',
  },
  stream_event: {
    reach: 'offline',
    needs: '--include-partial-messages',
    about: 'A raw event of the model’s stream, as it arrives.',
    caution: 'The assistant message of a block comes before its content_block_stop.',
  },
});
