import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { TurnOutcome } from './outcome.js';

/** What a turn cost, or a session so far. */
export interface TurnUsage {
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
}

/** Nothing was spent. */
export const NO_USAGE: TurnUsage = {
  costUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
};

/**
 * Turns the running totals of a CLI into what each turn cost. A CLI counts cost per process, so a reopened
 * session starts a new meter and the totals of the session go on.
 */
export class UsageMeter {
  #seen = NO_USAGE;
  #total = NO_USAGE;

  /** The sum over all turns of the session. */
  get total(): TurnUsage {
    return this.#total;
  }

  /** The CLI was started anew: its own totals begin at nothing. */
  restart(): void {
    this.#seen = NO_USAGE;
  }

  /** What this result adds. */
  take(result: WireObject): TurnUsage {
    const now = runningTotals(result);
    const delta = combine(now, this.#seen, (a, b) => Math.max(0, a - b));
    this.#seen = now;
    this.#total = combine(this.#total, delta, (a, b) => a + b);
    return delta;
  }
}

/** `total_cost_usd` and `modelUsage` grow over the process; the sum over models includes side calls. */
function runningTotals(result: WireObject): TurnUsage {
  const models = isObject(result.modelUsage) ? Object.values(result.modelUsage).filter(isObject) : [];
  const sum = (key: string) => models.reduce((total, model) => total + numberIn(model, key), 0);
  return {
    costUsd: numberIn(result, 'total_cost_usd'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadInputTokens: sum('cacheReadInputTokens'),
    cacheCreationInputTokens: sum('cacheCreationInputTokens'),
  };
}

function combine(a: TurnUsage, b: TurnUsage, join: (a: number, b: number) => number): TurnUsage {
  return {
    costUsd: join(a.costUsd, b.costUsd),
    inputTokens: join(a.inputTokens, b.inputTokens),
    outputTokens: join(a.outputTokens, b.outputTokens),
    cacheReadInputTokens: join(a.cacheReadInputTokens, b.cacheReadInputTokens),
    cacheCreationInputTokens: join(a.cacheCreationInputTokens, b.cacheCreationInputTokens),
  };
}

function numberIn(object: WireObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** The outcome of a message that is not sent because the session's budget is spent. */
export function overBudget(budgetUsd: number | undefined, { costUsd }: TurnUsage): TurnOutcome | undefined {
  if (budgetUsd === undefined || costUsd < budgetUsd) return undefined;
  const message = `The session's budget of ${budgetUsd} USD is spent; nothing was sent.`;
  return { kind: 'budget', by: 'host', message };
}
