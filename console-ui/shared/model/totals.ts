import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { costSince } from '../../../src/wire/protocol/reading/read-result.js';
import { frameOf, type WireRow } from './wire-row.js';

/** The tokens of a turn, by kind. */
export interface Tokens {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** The cost of a turn, according to its result. */
export interface TurnCost {
  /** From 1. */
  readonly turn: number;
  readonly row: WireRow;
  /** Of this turn only. */
  readonly costUsd: number;
  /** Of the session so far. */
  readonly totalUsd: number;
  readonly tokens: Tokens;
  readonly ms: number;
}

/** Adds up the figures in results. */
export class CostTotals {
  readonly turns: TurnCost[] = [];
  readonly #before: TurnCost | undefined;

  /** Continues after a turn. */
  constructor(before?: TurnCost) {
    this.#before = before;
  }

  take(row: WireRow): void {
    const frame = frameOf(row);
    if (frame?.type !== 'result' || row.from !== 'cli') return;
    const { total_cost_usd: cost, usage, duration_ms: ms } = frame;
    const last = this.turns.at(-1) ?? this.#before;
    const before = last?.totalUsd ?? 0;
    const totalUsd = typeof cost === 'number' ? cost : before;
    this.turns.push({
      turn: (last?.turn ?? 0) + 1,
      row,
      costUsd: costSince(frame, before),
      totalUsd,
      tokens: tokensOf(isObject(usage) ? usage : {}),
      ms: numberOf(ms),
    });
  }
}

/** The tokens of several turns together. */
export function sumTokens(turns: readonly TurnCost[]): Tokens {
  const sum = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
  for (const { tokens } of turns) {
    sum.input += tokens.input;
    sum.cacheWrite += tokens.cacheWrite;
    sum.cacheRead += tokens.cacheRead;
    sum.output += tokens.output;
  }
  return sum;
}

/** All tokens of a turn. */
export function allTokens({ input, cacheWrite, cacheRead, output }: Tokens): number {
  return input + cacheWrite + cacheRead + output;
}

function tokensOf(usage: WireObject): Tokens {
  return {
    input: numberOf(usage.input_tokens),
    cacheWrite: numberOf(usage.cache_creation_input_tokens),
    cacheRead: numberOf(usage.cache_read_input_tokens),
    output: numberOf(usage.output_tokens),
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
