import type { SessionSummary } from '../../../entry/remote/contract.js';
import { conversationStateOf } from '../../conversation/states.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import { conversationId } from './conversation-id.js';

/** The name of a conversation; the id if no manager opened it. */
export function nameOf({ id, name }: Pick<SessionSummary, 'id' | 'name'>): string {
  return name !== undefined && conversationId(name) === id ? name : id;
}

/** The owner that a conversation is charged to. */
export function ownerOf({ owner }: Pick<SessionSummary, 'owner'>): string {
  return owner.key ?? 'default';
}

/** The facts of a conversation. */
export function factsOf(name: string, summary: SessionSummary): ConversationFacts {
  const { queued, conversation, startedAt, changedAt, costUsd, error, limitUntil } = summary;
  const { priority = 0, schedule } = summary;
  const state = conversationStateOf(summary);
  // A message that waits for a budget is queued; others that wait for an answer have begun.
  const isBusy = state === 'running' && summary.state !== 'idle';
  return {
    name,
    owner: ownerOf(summary),
    priority,
    state,
    sessionId: conversation,
    createdAt: new Date(startedAt),
    usedAt: new Date(changedAt),
    costUsd,
    messages: queued.length + (isBusy ? 1 : 0),
    limitUntil: limitUntil === undefined ? undefined : new Date(limitUntil),
    failure: summary.state === 'ended' ? error : undefined,
    schedule: schedule === undefined ? undefined : { nextAt: undefined, ...schedule },
  };
}
