import { describeHostRequests } from '../entries.js';

/** Requests that start a session. */
export const initializeRequests = describeHostRequests({
  initialize: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about:
      'Opens the session: passes hooks, agents, prompts and server names, and returns what the CLI offers.',
    caution:
      'A second one kills 2.0.73 on Node 20 and is refused by 2.1.17, and so is one sent after a user message. ' +
      'An empty systemPrompt removes the default prompt. A hook matcher without hookCallbackIds ends both old versions.',
  },
  claim_session: {
    reach: 'offline',
    answer: 'value',
    needs: '--await-claim',
    deadlineMs: 60_000,
    about: 'Takes over a process that was started in advance and sets its folder, mode and environment.',
  },
});
