import { expect, test } from 'vitest';
import { WarmContext } from '../../../../src/server/manager/conversations/warm-context.js';

const called = (usage: object, more: object = {}) => ({
  type: 'assistant',
  message: { usage },
  parent_tool_use_id: null,
  ...more,
});

test('a context is warm for five minutes after the last call', () => {
  const context = new WarmContext();
  expect([context.tokensAt(0), context.warmMs(0)]).toEqual([0, 0]);
  context.take(called({ cache_read_input_tokens: 900, cache_creation_input_tokens: 100 }), 1_000);
  expect([context.tokensAt(300_999), context.warmMs(300_999)]).toEqual([1_000, 1]);
  expect([context.tokensAt(301_000), context.warmMs(400_000)]).toEqual([0, 0]);
});

test('a context that was written for an hour is warm for an hour, even when it is only read', () => {
  const context = new WarmContext();
  const hour = { cache_creation: { ephemeral_1h_input_tokens: 5, ephemeral_5m_input_tokens: 0 } };
  context.take(called({ cache_creation_input_tokens: 5, ...hour }), 0);
  expect(context.warmMs(0)).toBe(3_600_000);
  context.take(called({ cache_read_input_tokens: 5, cache_creation_input_tokens: 0 }), 600_000);
  expect(context.warmMs(600_000)).toBe(3_600_000);
});

test('calls of subagents, calls without a cache and other messages keep nothing warm', () => {
  const context = new WarmContext();
  const usage = { cache_read_input_tokens: 900 };
  context.take(called(usage, { parent_tool_use_id: 'toolu_1' }), 0);
  context.take(called({ input_tokens: 10 }), 0);
  context.take({ ...called(usage), type: 'user' }, 0);
  context.take({ type: 'assistant', message: 'nonsense' }, 0);
  expect(context.tokensAt(0)).toBe(0);
});
