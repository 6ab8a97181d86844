import { CoxswainError } from '../../../wire/util/errors.js';

/** The error of something that a conversation on a fleet cannot do, with what to do instead. */
export function notOnFleet(what: string, instead: string): CoxswainError {
  return new CoxswainError('OPTION_INVALID', `${what} does not work on a fleet: ${instead}.`);
}
