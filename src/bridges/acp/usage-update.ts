import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Usage } from '@agentclientprotocol/sdk/unstable';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import type { TurnEndItem } from '../../wire/protocol/reading/items.js';
import { type TokenCount, totalTokens } from '../../wire/protocol/reading/token-count.js';

/** The use of the context and the cost of the session, if the CLI reports the size of the context. */
export function usageUpdate(
  { contextWindow: size, costUsd: amount }: TurnEndItem,
  tokens: TokenCount,
): readonly SessionUpdate[] {
  if (size === undefined) return [];
  const cost = amount === undefined ? {} : { cost: { amount, currency: 'USD' } };
  return [{ sessionUpdate: 'usage_update', used: totalTokens(tokens), size, ...cost }];
}

/** The tokens of one prompt, in its answer. */
export function promptUsage(usage: TurnUsage): Usage {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    cachedReadTokens: cacheReadInputTokens,
    cachedWriteTokens: cacheCreationInputTokens,
    totalTokens: totalTokens(usage),
  };
}
