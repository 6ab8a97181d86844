import { outcomeOf, type TurnOutcome } from '../../host/session/turns/outcome.js';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { OutcomeView } from './contract.js';

/** An outcome as the log has it: without its result, which is there already. */
export function viewOutcome(outcome: TurnOutcome): OutcomeView {
  const { result, kind, ...facts } = outcome as TurnOutcome & Readonly<Record<string, unknown>>;
  const { text: _text, output: _output, cause: _cause, error, endsAt, ...rest } = facts;
  return {
    kind,
    ...rest,
    ...(result === undefined ? {} : { result: String(result.uuid) }),
    ...(error instanceof Error ? { error: error.message } : {}),
    ...(endsAt instanceof Date ? { endsAt: endsAt.toISOString() } : {}),
  };
}

/** The outcome that a view is of, with its result. */
export function outcomeFrom(view: OutcomeView, result: WireObject | undefined): TurnOutcome {
  const { kind, result: _id, error, endsAt, ...rest } = view;
  const usage = view.usage as TurnUsage | undefined;
  if (kind === 'success') {
    const judged = outcomeOf(result ?? { type: 'result' }, { interruptAsked: false, usage });
    return judged.kind === 'success' ? judged : ({ kind, text: '', ...rest } as TurnOutcome);
  }
  return {
    ...rest,
    kind,
    ...(result === undefined ? {} : { result }),
    ...(kind === 'cli-ended' ? { error: new CoxswainError('CLI_ENDED', error ?? 'The CLI ended.') } : {}),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt) }),
  } as TurnOutcome;
}
