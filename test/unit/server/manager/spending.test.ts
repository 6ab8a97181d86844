import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { emulatedManager } from '../../../support/manager.js';

const KNOWN_BEFORE = {
  total_cost_usd: 3,
  modelUsage: { big: { inputTokens: 110, costUSD: 3 } },
  model_usage_since_last_result: { big: { inputTokens: 10, costUSD: 0.5 } },
};

test('what a conversation had cost before it came here is its cost, but was not spent here', async () => {
  const scenarios = [[onUser(undefined, [done(undefined, KNOWN_BEFORE as never)])]];
  const { manager } = await emulatedManager({ scenarios });
  const talk = manager.conversation('one', { owner: 'team' });
  const { usage } = await talk.send('hello').outcome;
  expect([usage?.costUsd, manager.counters.costUsd, talk.facts.costUsd]).toEqual([0.5, 0.5, 3]);
});
