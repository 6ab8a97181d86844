import type {
  ConsoleState,
  LogEvent,
  SessionSummary,
  TokenCounts,
  UsageEvent,
} from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { ManagedConversation } from '../../manager/conversations/managed-conversation.js';
import { tokensOf } from './new-summary.js';

/** What a session, its CLI and its conversation report at the moment. */
export interface Reported {
  readonly state: ConsoleState;
  /** Why it ended. */
  readonly error: string | undefined;
  readonly failed: boolean;
  readonly limitUntil: string | undefined;
  /** The CLI's id of the conversation. */
  readonly conversation: string | undefined;
  readonly cliVersion: string | undefined;
  readonly usage: TurnUsage | undefined;
  /** Whether the usage includes what the conversation had used before it came here. */
  readonly countsEarlier: boolean;
  readonly maxBudgetUsd: number | undefined;
}

/** What a session has at the moment. */
interface Current {
  readonly state: ConsoleState;
  /** Why it ended. */
  readonly error: string | undefined;
  readonly owner: ManagedConversation | undefined;
  readonly cli: Session | undefined;
}

/** What the conversation and the CLI of a session report; without a conversation, what its view says stays. */
export function reportOf(view: SessionSummary, { state, error, owner, cli }: Current): Reported {
  return {
    state,
    error,
    failed: owner === undefined ? view.failed === true : owner.state === 'failed',
    limitUntil: state === 'limited' ? owner?.facts.limitUntil?.toISOString() : undefined,
    conversation: cli?.id,
    cliVersion: cli?.version,
    usage: owner?.usage,
    countsEarlier: cli?.countsEarlier === true,
    maxBudgetUsd: owner === undefined ? view.maxBudgetUsd : owner.budgetUsd,
  };
}

/** The events after which a view says the same as the session. */
export function newsOf(view: SessionSummary, reported: Reported): readonly LogEvent[] {
  return [
    ...cliNews(view, reported),
    ...usageNews(view, reported),
    ...budgetNews(view, reported),
    ...stateNews(view, reported),
  ];
}

/** Whether a message may change what is shown of its session. */
export function isShown({ type }: WireObject): boolean {
  return type === 'system' || type === 'assistant' || type === 'result';
}

/** What a CLI's message says about its session, besides what was used. */
export function newsIn(view: SessionSummary, message: WireObject): readonly LogEvent[] {
  switch (message.type) {
    case 'system':
      return systemNews(view, message);
    case 'assistant':
      return assistantNews(view, message);
    case 'result':
      return resultNews(view, message);
    default:
      return [];
  }
}

function cliNews(view: SessionSummary, { conversation, cliVersion }: Reported): readonly LogEvent[] {
  const isKnown =
    (conversation ?? view.conversation) === view.conversation &&
    (cliVersion ?? view.cliVersion) === view.cliVersion;
  return isKnown ? [] : [{ kind: 'cli', conversation, cliVersion }];
}

function usageNews(view: SessionSummary, { usage, countsEarlier }: Reported): readonly LogEvent[] {
  const news: Omit<UsageEvent, 'kind'> = {
    ...(usage === undefined || usage.costUsd === view.costUsd ? {} : { costUsd: usage.costUsd }),
    ...(usage === undefined || isSame(tokensOf(usage), view.tokens) ? {} : { tokens: tokensOf(usage) }),
    // Newer CLIs know what the conversation had cost before, and report it with their first result.
    ...(view.costIsPartial === true && countsEarlier ? { costIsPartial: false } : {}),
  };
  return Object.keys(news).length === 0 ? [] : [{ kind: 'usage', ...news }];
}

function isSame(one: TokenCounts, other: TokenCounts): boolean {
  return (
    one.input === other.input &&
    one.output === other.output &&
    one.cacheRead === other.cacheRead &&
    one.cacheCreation === other.cacheCreation
  );
}

function budgetNews(view: SessionSummary, { maxBudgetUsd }: Reported): readonly LogEvent[] {
  if (maxBudgetUsd === view.maxBudgetUsd) return [];
  return [{ kind: 'budget', maxBudgetUsd: maxBudgetUsd ?? null }];
}

function stateNews(view: SessionSummary, reported: Reported): readonly LogEvent[] {
  const { state, error, failed, limitUntil } = reported;
  const isKnown =
    state === view.state &&
    failed === (view.failed === true) &&
    limitUntil === view.limitUntil &&
    (error ?? view.error) === view.error;
  return isKnown ? [] : [{ kind: 'state', state, error, failed: failed ? true : undefined, limitUntil }];
}

function systemNews(view: SessionSummary, message: WireObject): readonly LogEvent[] {
  if (message.subtype !== 'init' && message.subtype !== 'status') return [];
  const { model, permissionMode } = message;
  const news = {
    ...(typeof model === 'string' && model !== view.model ? { model } : {}),
    ...(typeof permissionMode === 'string' && permissionMode !== view.permissionMode
      ? { permissionMode }
      : {}),
  };
  return Object.keys(news).length === 0 ? [] : [{ kind: 'settings', ...news }];
}

/** The last model call shows how full the context is; subagent calls have their own contexts. */
function assistantNews(
  view: SessionSummary,
  { message, parent_tool_use_id: parent }: WireObject,
): readonly LogEvent[] {
  if (typeof parent === 'string' || !isObject(message) || !isObject(message.usage)) return [];
  const { usage } = message;
  const tokens =
    numberIn(usage, 'input_tokens') +
    numberIn(usage, 'output_tokens') +
    numberIn(usage, 'cache_read_input_tokens') +
    numberIn(usage, 'cache_creation_input_tokens');
  return contextNews(view, { ...view.context, tokens });
}

function resultNews(view: SessionSummary, { modelUsage }: WireObject): readonly LogEvent[] {
  const models = isObject(modelUsage) ? Object.values(modelUsage).filter(isObject) : [];
  const windows = models.map((model) => numberIn(model, 'contextWindow'));
  if (windows.length === 0) return [];
  return contextNews(view, { ...view.context, window: Math.max(...windows) || undefined });
}

function contextNews(
  { context: { tokens, window } }: SessionSummary,
  context: SessionSummary['context'],
): readonly LogEvent[] {
  return context.tokens === tokens && context.window === window ? [] : [{ kind: 'usage', context }];
}

function numberIn(object: WireObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
