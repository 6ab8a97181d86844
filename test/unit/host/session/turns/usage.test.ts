import { expect, test } from 'vitest';
import { NO_USAGE, UsageMeter } from '../../../../../src/host/session/turns/usage.js';

const result = (cost: number, input: number, output: number) => ({
  total_cost_usd: cost,
  modelUsage: {
    big: { inputTokens: input, outputTokens: output, cacheReadInputTokens: 1, cacheCreationInputTokens: 0 },
    small: { inputTokens: 1, outputTokens: 1 },
  },
});

test('turns running totals into what each turn cost', () => {
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

test('goes on counting when a new CLI begins its totals at nothing', () => {
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
