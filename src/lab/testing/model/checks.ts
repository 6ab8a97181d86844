import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** Returns an object, or throws if the value here is not one. */
export function checkObject(value: unknown, name: string, expected: string): WireObject {
  if (!isObject(value)) throw wrongValue(name, expected, value);
  return value;
}

/** Returns a string, or throws if the value here is not one. */
export function checkText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrongValue(name, 'a text', value);
  return value;
}

/** Accepts a text or nothing. */
export function checkOptionalText(value: unknown, name: string): void {
  if (value !== undefined) checkText(value, name);
}

/** Accepts a number that is not below the minimum. */
export function checkNumber(value: unknown, least: number, name: string, orElse = ''): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return;
  throw wrongValue(name, `a number of at least ${least}${orElse}`, value);
}

/** Rejects keys that would be ignored. */
export function checkKeys(value: WireObject, name: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new CoxswainError(
    'OPTION_INVALID',
    `${name}.${unknown} is not known here. Known: ${known.join(', ')}.`,
  );
}

/** The error for a value of the wrong kind, with the place and the value. */
export function wrongValue(name: string, expected: string, value: unknown): CoxswainError {
  const shown = JSON.stringify(value)?.slice(0, 80) ?? String(value);
  return new CoxswainError('OPTION_INVALID', `${name} must be ${expected}, not ${shown}.`);
}
