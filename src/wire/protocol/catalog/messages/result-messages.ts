import { describeMessages } from '../entries.js';

/** Messages that end a turn. */
export const resultMessages = describeMessages('cli', {
  'result/success': {
    reach: 'offline',
    about: 'The turn has ended; only `is_error` says whether it succeeded.',
    caution: 'A failed API call is a `success` with `is_error: true` and the error text in `result`.',
  },
  'result/error_during_execution': {
    reach: 'offline',
    about: 'The turn was interrupted or failed.',
    caution: '2.0.73 and 2.1.17 say `is_error: false` and leave `errors` empty.',
  },
  'result/error_max_turns': {
    reach: 'offline',
    needs: '--max-turns',
    about: 'The turn reached its limit of model calls; the session stays usable.',
  },
  'result/error_max_budget_usd': {
    reach: 'offline',
    needs: '--max-budget-usd',
    about: 'The session has reached its budget; every later message ends the same way.',
  },
  'result/error_max_structured_output_retries': {
    reach: 'declared',
    needs: 'initialize.jsonSchema',
    about: 'The model could not produce output that matches the schema.',
  },
});
