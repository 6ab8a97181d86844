import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import {
  numberIn,
  readTokens,
  type TokenCount,
  totalTokens,
} from '../../../wire/protocol/reading/token-count.js';
import type { TurnOutcome } from './outcome.js';

/** The usage of a turn, or of a session so far. */
export interface TurnUsage {
  /** The cost so far, in dollars: what the CLI estimates from list prices, not what is billed. */
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
 * Turns what a CLI counts into the cost of each turn. Newer CLIs say what was used since their last result; of older ones
 * only the totals are known, which some continue when they resume a conversation.
 */
export class UsageMeter {
  /** What the CLI had counted at its last result. */
  #seen = NO_USAGE;
  #total: TurnUsage;
  #turns = NO_USAGE;
  /** What the conversation had used when its CLI was started; undefined once it is known where the CLI counts from. */
  #before: TurnUsage | undefined;
  #includesEarlier = false;

  /** Continues from the usage of a conversation so far. */
  constructor(total: TurnUsage = NO_USAGE) {
    this.#total = total;
    this.#before = total;
  }

  /** What the conversation has used: its turns here, and as far as is known what was before. */
  get total(): TurnUsage {
    return this.#total;
  }

  /** The sum over the turns here. */
  get turns(): TurnUsage {
    return this.#turns;
  }

  /** Whether the CLI includes the conversation's earlier usage in its counts. */
  get includesEarlier(): boolean {
    return this.#includesEarlier;
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
    const used = sinceLastResult(result) ?? less(now, this.#seen);
    this.#seen = now;
    this.#turns = plus(this.#turns, used);
    this.#total = plus(this.#total, used);
    return used;
  }

  /** Decided by the first result. A CLI that counts earlier usage may know more of it than the host. */
  #findStart(before: TurnUsage, now: TurnUsage, result: WireObject): void {
    this.#before = undefined;
    const start = startOf(before, now, result);
    this.#includesEarlier = start !== undefined;
    if (start === undefined) return;
    this.#seen = start;
    this.#total = combine(this.#total, start, Math.max);
  }
}

/** What a CLI had counted before its first turn; undefined if it counts from zero. */
function startOf(before: TurnUsage, now: TurnUsage, result: WireObject): TurnUsage | undefined {
  const used = sinceLastResult(result);
  if (used !== undefined) {
    const start = less(now, used);
    return totalTokens(start) > 0 ? start : undefined;
  }
  // One that counts from zero cannot have seen the earlier tokens as well.
  const earlier = totalTokens(before);
  const counts = earlier > 0 && totalTokens(now) >= earlier + totalTokens(readTokens(result.usage));
  return counts ? before : undefined;
}

/** What a call to the model has read. */
export type InputTokens = Omit<TokenCount, 'outputTokens'>;

/** What the model call of an assistant message has read; undefined if the CLI wrote the message itself. */
export function inputOf({ usage, model }: WireObject): InputTokens | undefined {
  if (!isObject(usage) || model === '<synthetic>') return undefined;
  const { outputTokens: _, ...input } = readTokens(usage);
  return input;
}

/** The tokens in a message or a result, with the names of the Messages API. */
export function turnTokens(usage: unknown): TurnUsage {
  return { costUsd: 0, ...readTokens(usage) };
}

/** `total_cost_usd` and `modelUsage` grow with each turn; the sum over models includes side calls. */
function runningTotals({ modelUsage, total_cost_usd: costUsd }: WireObject): TurnUsage {
  return { ...sumOf(modelUsage), costUsd: typeof costUsd === 'number' ? costUsd : 0 };
}

/** Turns, side calls, subagents and background work since the last result. */
function sinceLastResult({ model_usage_since_last_result: models }: WireObject): TurnUsage | undefined {
  return isObject(models) ? sumOf(models) : undefined;
}

/** The sum over all models. */
function sumOf(modelUsage: unknown): TurnUsage {
  const models = isObject(modelUsage) ? Object.values(modelUsage).filter(isObject) : [];
  const sum = (key: string) => models.reduce((total, model) => total + numberIn(model, key), 0);
  return {
    costUsd: sum('costUSD'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadInputTokens: sum('cacheReadInputTokens'),
    cacheCreationInputTokens: sum('cacheCreationInputTokens'),
  };
}

function plus(one: TurnUsage, other: TurnUsage): TurnUsage {
  return combine(one, other, (a, b) => a + b);
}

function less(one: TurnUsage, other: TurnUsage): TurnUsage {
  return combine(one, other, (a, b) => Math.max(0, a - b));
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
