import { expect, test } from 'vitest';
import { NO_USAGE, UsageMeter } from '../../../../../src/host/session/turns/usage.js';

const result = (cost: number, input: number, output: number) => ({
  total_cost_usd: cost,
  modelUsage: {
    big: { inputTokens: input, outputTokens: output, cacheReadInputTokens: 1, cacheCreationInputTokens: 0 },
    small: { inputTokens: 1, outputTokens: 1 },
  },
});

test('turns running totals into the cost of each turn', () => {
  const meter = new UsageMeter();
  expect(meter.take(result(1, 10, 5))).toMatchObject({ costUsd: 1, inputTokens: 11, outputTokens: 6 });
  expect(meter.take(result(1.5, 30, 9))).toMatchObject({
    costUsd: 0.5,
    inputTokens: 20,
    outputTokens: 4,
    cacheReadInputTokens: 0,
  });
  expect(meter.total).toMatchObject({ costUsd: 1.5, inputTokens: 31, outputTokens: 10 });
});

test('keeps counting when a new CLI starts its totals at zero', () => {
  const meter = new UsageMeter();
  meter.take(result(1, 10, 5));
  meter.restart();
  expect(meter.take(result(0.25, 2, 1)).costUsd).toBe(0.25);
  expect(meter.total.costUsd).toBe(1.25);
});

test('a result without figures costs nothing', () => {
  const meter = new UsageMeter();
  expect(meter.take({ modelUsage: 'nonsense', total_cost_usd: 'x' })).toEqual(NO_USAGE);
});

const resumed = (cost: number, input: number) => ({
  total_cost_usd: cost,
  modelUsage: { big: { inputTokens: input, outputTokens: 0 }, side: { inputTokens: 5, outputTokens: 0 } },
  usage: { input_tokens: 10, output_tokens: 0 },
});

test('counts nothing twice when a new CLI continues from the conversation’s usage', () => {
  const meter = new UsageMeter();
  meter.take(resumed(1, 10));
  meter.restart();
  expect(meter.take(resumed(1.5, 20))).toMatchObject({ costUsd: 0.5, inputTokens: 10 });
  expect(meter.includesEarlier).toBe(true);
  expect(meter.take(resumed(1.75, 30)).costUsd).toBe(0.25);
  expect(meter.total).toMatchObject({ costUsd: 1.75, inputTokens: 35 });
});

test('a turn like the previous one is no sign that the CLI continues its totals', () => {
  const meter = new UsageMeter();
  meter.take(resumed(1, 10));
  meter.restart();
  expect(meter.take(resumed(1, 10)).costUsd).toBe(1);
  expect(meter.includesEarlier).toBe(false);
  expect(meter.total).toMatchObject({ costUsd: 2, inputTokens: 30 });
});

test('learns the earlier cost of a conversation if its CLI reports it', () => {
  const meter = new UsageMeter({ ...NO_USAGE, inputTokens: 100 });
  meter.restart();
  meter.take(resumed(3, 110));
  expect(meter.includesEarlier).toBe(true);
  expect(meter.total).toMatchObject({ costUsd: 3, inputTokens: 115 });
});

const told = (total: number, input: number, since: number) => ({
  total_cost_usd: total,
  modelUsage: { big: { inputTokens: input, costUSD: total } },
  model_usage_since_last_result: { big: { inputTokens: 10, costUSD: since } },
});

test('a turn costs what the CLI says was used since its last result', () => {
  const meter = new UsageMeter();
  expect(meter.take(told(1, 10, 1)).costUsd).toBe(1);
  expect(meter.take(told(1.5, 20, 0.5)).costUsd).toBe(0.5);
  expect([meter.includesEarlier, meter.total.costUsd, meter.turns.costUsd]).toEqual([false, 1.5, 1.5]);
});

test('the first turn after a resume costs nothing of what was before, even if nobody knew of that', () => {
  const meter = new UsageMeter();
  expect(meter.take(told(3.5, 110, 0.5))).toMatchObject({ costUsd: 0.5, inputTokens: 10 });
  expect(meter.includesEarlier).toBe(true);
  expect(meter.total).toMatchObject({ costUsd: 3.5, inputTokens: 110 });
  expect(meter.turns).toMatchObject({ costUsd: 0.5, inputTokens: 10 });
});

test('a CLI that knows less than the host takes nothing away', () => {
  const meter = new UsageMeter({ ...NO_USAGE, costUsd: 5, inputTokens: 500 });
  meter.restart();
  expect(meter.take(told(1.5, 20, 0.5)).costUsd).toBe(0.5);
  expect(meter.total).toMatchObject({ costUsd: 5.5, inputTokens: 510 });
});
