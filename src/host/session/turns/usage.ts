import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { numberIn, readTokens, totalTokens } from '../../../wire/protocol/reading/token-count.js';
import type { TurnOutcome } from './outcome.js';

/** The usage of a turn, or of a session so far. */
export interface TurnUsage {
  /** The cost so far, in dollars. */
  readonly costUsd: number;
  /** Tokens read without the cache. */
  readonly inputTokens: number;
  /** Tokens written by the model. */
  readonly outputTokens: number;
  /** Tokens read from the cache. */
  readonly cacheReadInputTokens: number;
  /** Tokens written to the cache. */
  readonly cacheCreationInputTokens: number;
}

/** Zero usage. */
export const NO_USAGE: TurnUsage = {
  costUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
};

/**
 * Turns the running totals of a CLI into the cost of each turn. Older CLIs count per process; newer ones that resume a
 * conversation continue from its earlier cost.
 */
export class UsageMeter {
  #seen = NO_USAGE;
  #total: TurnUsage;
  /** What the conversation had used when its CLI was started; undefined once it is known where the CLI counts from. */
  #before: TurnUsage | undefined;
  #goesOn = false;

  /** Continues from the usage of a conversation so far. */
  constructor(total: TurnUsage = NO_USAGE) {
    this.#total = total;
    this.#before = total;
  }

  /** The sum over all turns of the session. */
  get total(): TurnUsage {
    return this.#total;
  }

  /** Whether the CLI includes the conversation's earlier usage in its counts. */
  get goesOn(): boolean {
    return this.#goesOn;
  }

  /** A new CLI was started. */
  restart(): void {
    this.#seen = NO_USAGE;
    this.#before = this.#total;
  }

  /** What this result adds. */
  take(result: WireObject): TurnUsage {
    const now = runningTotals(result);
    if (this.#before !== undefined) this.#findStart(this.#before, now, result);
    const delta = combine(now, this.#seen, (a, b) => Math.max(0, a - b));
    this.#seen = now;
    this.#total = combine(this.#total, delta, (a, b) => a + b);
    return delta;
  }

  /** Decided by the first result: a CLI that counts from zero cannot have seen the earlier tokens as well. */
  #findStart(before: TurnUsage, now: TurnUsage, { usage }: WireObject): void {
    const earlier = totalTokens(before);
    this.#goesOn = earlier > 0 && totalTokens(now) >= earlier + totalTokens(readTokens(usage));
    if (this.#goesOn) this.#seen = before;
    this.#before = undefined;
  }
}

/** The tokens in a message or a result, with the names of the Messages API. */
export function turnTokens(usage: unknown): TurnUsage {
  return { costUsd: 0, ...readTokens(usage) };
}

/** `total_cost_usd` and `modelUsage` grow with each turn; the sum over models includes side calls. */
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

/** Combines two usages number by number. */
export function combine(a: TurnUsage, b: TurnUsage, join: (a: number, b: number) => number): TurnUsage {
  return {
    costUsd: join(a.costUsd, b.costUsd),
    inputTokens: join(a.inputTokens, b.inputTokens),
    outputTokens: join(a.outputTokens, b.outputTokens),
    cacheReadInputTokens: join(a.cacheReadInputTokens, b.cacheReadInputTokens),
    cacheCreationInputTokens: join(a.cacheCreationInputTokens, b.cacheCreationInputTokens),
  };
}

/** The outcome of a message that is not sent because the session's budget is spent. */
export function overBudget(budgetUsd: number | undefined, { costUsd }: TurnUsage): TurnOutcome | undefined {
  if (budgetUsd === undefined || costUsd < budgetUsd) return undefined;
  const message = `The session's budget of ${budgetUsd} USD is spent; nothing was sent.`;
  return { kind: 'budget', by: 'host', message };
}
