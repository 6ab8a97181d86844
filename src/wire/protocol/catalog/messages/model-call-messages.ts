import { describeMessages } from '../entries.js';

/** System messages about calls to the model. */
export const modelCallMessages = describeMessages('cli', {
  'system/api_retry': {
    reach: 'offline',
    about: 'A call to the model failed and will be retried after a delay.',
    caution: 'Older versions retry silently for up to a minute.',
  },
  'system/control_request_progress': {
    reach: 'offline',
    about: 'Reports progress of a slow host request.',
  },
  'system/model_refusal_fallback': {
    reach: 'declared',
    about: 'A model refused, and another one takes over.',
  },
  'system/model_refusal_no_fallback': {
    reach: 'declared',
    about: 'A model refused, and no other one takes over.',
  },
  'system/thinking_tokens': {
    reach: 'offline',
    needs: '--include-partial-messages',
    about: 'Estimates how many tokens the model has spent on thinking so far.',
  },
});
