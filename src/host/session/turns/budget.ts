import type { TurnOutcome } from './outcome.js';
import type { TurnUsage } from './usage.js';

/** The outcome of a message that is not sent because the session's budget is spent. */
export function overBudget(budgetUsd: number | undefined, { costUsd }: TurnUsage): TurnOutcome | undefined {
  if (budgetUsd === undefined || costUsd < budgetUsd) return undefined;
  const message = `The session's budget of ${budgetUsd} USD is spent; nothing was sent.`;
  return { kind: 'budget', by: 'host', message };
}
