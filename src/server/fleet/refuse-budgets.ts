import { OptionError } from '../../wire/util/option-checks.js';

/** Workers do not know what others spend. @throws OptionError for budgets of a worker or a gateway. */
export function refuseBudgets(options: object): void {
  if (!('budgets' in options) || options.budgets === undefined) return;
  const instead = 'give each conversation its own, with "maxBudgetUsd" or setBudget()';
  throw new OptionError('budgets', `"budgets" does not work on a fleet: ${instead}.`);
}
