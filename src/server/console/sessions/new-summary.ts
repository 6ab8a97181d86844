import type { ClientName, OpenParams, SessionSummary, TokenCounts } from '../../../entry/remote/contract.js';
import { NO_USAGE, type TurnUsage } from '../../../host/session/turns/usage.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ConversationBegin } from './console-manager.js';

/** The summary of a session that has not started. */
export function newSummary(
  id: string,
  opened: OpenParams,
  { name, kind, key }: ClientName & { readonly kind: 'page' | 'program' },
  {
    now,
    sessionBudgetUsd,
    repository,
  }: {
    readonly now: number;
    readonly sessionBudgetUsd: number | undefined;
    readonly repository: string | undefined;
  },
): SessionSummary {
  return {
    id,
    conversation: opened.resume,
    title: opened.title ?? '',
    ...(opened.program === undefined || opened.title === undefined ? {} : { name: opened.title }),
    cwd: opened.cwd,
    ...(repository === undefined ? {} : { repository }),
    state: 'ended',
    cliVersion: undefined,
    model: opened.model,
    permissionMode: opened.permissionMode,
    allows: [],
    owner: { name, kind, away: false, key },
    viewers: 0,
    costUsd: 0,
    tokens: tokensOf(NO_USAGE),
    context: { tokens: 0, window: undefined },
    maxBudgetUsd: lower(opened.maxBudgetUsd, sessionBudgetUsd),
    prompts: [],
    queued: [],
    last: 0,
    startedAt: now,
    changedAt: now,
  };
}

/** The lower of two limits; undefined if there is none. */
function lower(one: number | undefined, other: number | undefined): number | undefined {
  const least = Math.min(one ?? Number.POSITIVE_INFINITY, other ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(least) ? least : undefined;
}

/** Tokens in the form used by summaries. */
export function tokensOf(usage: TurnUsage): TokenCounts {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheCreation: usage.cacheCreationInputTokens,
  };
}

/** The usage that a session's conversation starts with. */
export function beginOf(summary: SessionSummary, { defer }: Pick<OpenParams, 'defer'>): ConversationBegin {
  const { owner, maxBudgetUsd: budgetUsd } = summary;
  return { owner: owner.key, usedBefore: usageOf(summary), budgetUsd, defer };
}

/** A session's usage, according to its summary. */
export function usageOf({ costUsd, tokens }: SessionSummary): TurnUsage {
  return {
    costUsd,
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadInputTokens: tokens.cacheRead,
    cacheCreationInputTokens: tokens.cacheCreation,
  };
}

/** The first line of a user message, for a title. */
export function titleFrom(content: string | readonly WireObject[]): string | undefined {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (typeof block.text === 'string' ? block.text : '')).join(' ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
}

const TITLE = 80;
