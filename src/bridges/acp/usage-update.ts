import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** How full the context is and what the session has cost, where the CLI tells the size of the context. */
export function usageUpdate(result: WireObject, used: number): readonly SessionUpdate[] {
  const models = isObject(result.modelUsage) ? Object.values(result.modelUsage).filter(isObject) : [];
  const sizes = models.map(({ contextWindow }) => contextWindow).filter((size) => typeof size === 'number');
  if (sizes.length === 0) return [];
  const { total_cost_usd: amount } = result;
  const cost = typeof amount === 'number' ? { cost: { amount, currency: 'USD' } } : {};
  return [{ sessionUpdate: 'usage_update', used, size: Math.max(...sizes), ...cost }];
}
