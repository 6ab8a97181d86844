import { describeMessages, LATEST, NEVER } from '../entries.js';

/** System messages about calls to the model. */
export const modelCallMessages = describeMessages('cli', {
  'system/api_retry': {
    seen: LATEST,
    reach: 'offline',
    about: 'A call to the model failed and will be tried again after a delay.',
    caution: 'Older versions retry for up to a minute without a word.',
  },
  'system/control_request_progress': {
    seen: LATEST,
    reach: 'offline',
    about: 'Shows that a slow host request is being worked on.',
  },
  'system/model_refusal_fallback': {
    seen: NEVER,
    reach: 'declared',
    about: 'A model refused, and another one takes over.',
  },
  'system/model_refusal_no_fallback': {
    seen: NEVER,
    reach: 'declared',
    about: 'A model refused, and no other one takes over.',
  },
  'system/thinking_tokens': {
    seen: LATEST,
    reach: 'offline',
    needs: '--include-partial-messages',
    about: 'Estimates how much the model has thought so far.',
  },
});
