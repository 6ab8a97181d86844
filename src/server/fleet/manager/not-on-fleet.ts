import { CoxswainError } from '../../../wire/util/errors.js';

/** The error for something that a conversation on a fleet cannot do, with an alternative. */
export function notOnFleet(what: string, instead: string): CoxswainError {
  return new CoxswainError('OPTION_INVALID', `${what} does not work on a fleet: ${instead}.`);
}
