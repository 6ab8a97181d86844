import type { Requirements } from '../requirement.js';

/** What CLIs with a login tell about the usage limits of its plan. */
export const limitRequirements = {
  'limits:reported': {
    behaviour: 'With a login, a turn reports whether the usage limits allow requests, and when they reset.',
  },
  'limits:nearly-full': {
    behaviour: 'It reports how much of a usage window is used once that is nearly full.',
  },
  'limits:all-windows': {
    behaviour: 'It reports how much of every usage window is used, even if there is plenty left.',
  },
  'limits:rejected': {
    behaviour: 'When a usage limit is reached, it reports to the second when that ends.',
  },
} as const satisfies Requirements;
