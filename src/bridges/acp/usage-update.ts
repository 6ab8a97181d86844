import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** The use of the context and the cost of the session, if the CLI reports the size of the context. */
export function usageUpdate(result: WireObject, usage: WireObject): readonly SessionUpdate[] {
  const models = isObject(result.modelUsage) ? Object.values(result.modelUsage).filter(isObject) : [];
  const sizes = models.map(({ contextWindow }) => contextWindow).filter((size) => typeof size === 'number');
  if (sizes.length === 0) return [];
  const { total_cost_usd: amount } = result;
  const cost = typeof amount === 'number' ? { cost: { amount, currency: 'USD' } } : {};
  return [{ sessionUpdate: 'usage_update', used: tokensIn(usage), size: Math.max(...sizes), ...cost }];
}

function tokensIn(usage: WireObject): number {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
  return [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens]
    .filter((count) => typeof count === 'number')
    .reduce((sum, count) => sum + count, 0);
}
