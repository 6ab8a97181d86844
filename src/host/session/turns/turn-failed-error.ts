import { CoxswainError } from '../../../wire/util/errors.js';
import type { TurnOutcome } from './outcome.js';

/** `turn.text()` was called, but the turn did not succeed; the outcome says how it ended. */
export class TurnFailedError extends CoxswainError {
  /** How the turn ended. */
  readonly outcome: TurnOutcome;

  constructor(outcome: TurnOutcome) {
    const cause = outcome.kind === 'aborted' ? outcome.cause : endOf(outcome);
    super('TURN_FAILED', sentence(`The turn ended as ${outcome.kind}${describe(outcome)}`), { cause });
    this.outcome = outcome;
    if (outcome.kind === 'aborted') this.name = 'AbortError';
  }
}

/** A CLI's message may end with a full stop of its own. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function endOf(outcome: TurnOutcome): Error | undefined {
  return outcome.kind === 'cli-ended' ? outcome.error : undefined;
}

function describe(outcome: TurnOutcome): string {
  if ('message' in outcome) return `: ${outcome.message}`;
  return outcome.kind === 'cli-ended' ? `: ${outcome.error.message}` : '';
}
