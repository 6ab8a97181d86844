import type { ClientName, OpenParams, SessionSummary, TokenCounts } from '../../../entry/remote/contract.js';
import { NO_USAGE, type TurnUsage } from '../../../host/session/turns/usage.js';

/** The summary of a session that has not been started. */
export function newSummary(
  id: string,
  opened: OpenParams,
  { name, kind }: ClientName & { readonly kind: 'page' | 'program' },
  now: number,
): SessionSummary {
  return {
    id,
    conversation: opened.resume,
    title: opened.title ?? '',
    cwd: opened.cwd,
    state: 'ended',
    cliVersion: undefined,
    model: opened.model,
    permissionMode: opened.permissionMode,
    allows: [],
    owner: { name, kind, away: false },
    viewers: 0,
    costUsd: 0,
    tokens: tokensOf(NO_USAGE),
    context: { tokens: 0, window: undefined },
    maxBudgetUsd: opened.maxBudgetUsd,
    prompts: [],
    queued: [],
    last: 0,
    startedAt: now,
    changedAt: now,
  };
}

/** Tokens as a summary tells them. */
export function tokensOf(usage: TurnUsage): TokenCounts {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheCreation: usage.cacheCreationInputTokens,
  };
}

/** What a session has used, as its summary says. */
export function usageOf({ costUsd, tokens }: SessionSummary): TurnUsage {
  return {
    costUsd,
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadInputTokens: tokens.cacheRead,
    cacheCreationInputTokens: tokens.cacheCreation,
  };
}
