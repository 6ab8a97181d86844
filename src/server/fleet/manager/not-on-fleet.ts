import { CoxswainError } from '../../../wire/util/errors.js';

/** The error for something that a conversation on a fleet cannot do, with an alternative. */
export function notOnFleet(what: string, instead: string): CoxswainError {
  return new CoxswainError('OPTION_INVALID', `${what} does not work on a fleet: ${instead}.`);
}

/** Workers do not know what others spend. @throws CoxswainError `OPTION_INVALID` for budgets of a worker or a gateway. */
export function refuseBudgets(options: object): void {
  if ('budgets' in options && options.budgets !== undefined)
    throw notOnFleet('"budgets"', 'give each conversation its own, with "maxBudgetUsd" or setBudget()');
}
