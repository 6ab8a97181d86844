import { describeMessages } from '../entries.js';

/** Messages that the host sends. */
export const messagesFromHost = describeMessages('host', {
  user: {
    reach: 'offline',
    about: 'A prompt: text or content blocks in the user role.',
    caution: 'A repeated uuid is dropped without a result. A message without a user role ends the process.',
  },
  update_environment_variables: {
    reach: 'offline',
    about: 'Sets environment variables of the running CLI.',
    caution: '2.0.73 exits; 2.1.326 accepts it without visible effect.',
  },
});
