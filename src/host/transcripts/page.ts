import { checkOptions, kind } from '../../wire/util/option-checks.js';
import type { Page } from './transcript-types.js';

const WHOLE = kind('a whole number', (value) => Number.isSafeInteger(value));
const ALSO_ALL = kind(
  'a whole number or Infinity',
  (value) => value === Infinity || Number.isSafeInteger(value),
);
const SPECS = {
  limit: { kind: ALSO_ALL, sentence: 'The maximum number; 0 or less for all.' },
  offset: { kind: WHOLE, sentence: 'How many to skip at the start.' },
};

/** Where a page begins and ends in the whole list.
 * @throws OptionError for anything but whole numbers. */
export function pageOf(options: Page): { readonly from: number; readonly to: number } {
  // Untyped programs pass null for what they leave out.
  const given = { limit: options.limit ?? undefined, offset: options.offset ?? undefined };
  checkOptions(SPECS, given);
  const { limit = 0, offset = 0 } = given;
  const from = Math.max(0, offset);
  return { from, to: limit > 0 ? from + limit : Number.POSITIVE_INFINITY };
}
