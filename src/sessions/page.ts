import { checkOptions, kind, pickOptions } from '../util/option-checks.js';
import type { Page } from './types.js';

const WHOLE = kind('a whole number', (value) => Number.isSafeInteger(value));
const SPECS = {
  limit: { kind: WHOLE, sentence: 'How many at most; all for 0 or less.' },
  offset: { kind: WHOLE, sentence: 'How many are left out at the start.' },
};

/** Where a page begins and ends in the whole list.
 * @throws OptionError for what is no whole number. */
export function pageOf(options: Page): { readonly from: number; readonly to: number } {
  checkOptions(SPECS, pickOptions(SPECS, options));
  const { limit = 0, offset = 0 } = options;
  const from = Math.max(0, offset);
  return { from, to: limit > 0 ? from + limit : Number.POSITIVE_INFINITY };
}
