import type { TurnUsage } from '../../../host/session/turns/usage.js';
import { NO_USAGE } from '../../../host/session/turns/usage.js';
import { usageOf } from '../../console/sessions/new-summary.js';
import { type ConversationState, conversationStateOf } from '../../conversation/states.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import type { FleetRecord } from '../record.js';
import { conversationId } from './conversation-id.js';

/** The name of a conversation; the id if no manager opened it. */
export function nameOf(id: string, { opened: { title } }: FleetRecord): string {
  return title !== undefined && conversationId(title) === id ? title : id;
}

/** What a conversation is doing. */
export function stateOf({ summary, failure }: FleetRecord): ConversationState {
  return conversationStateOf(failure === undefined ? summary : { ...summary, failed: true });
}

/** The owner that a conversation is charged to. */
export function ownerOf({ summary }: FleetRecord): string {
  return summary.owner.key ?? 'default';
}

/** The facts of a conversation. */
export function factsOf(name: string, record: FleetRecord): ConversationFacts {
  const { summary, place, failure } = record;
  const { state, queued, conversation, startedAt, changedAt, costUsd, error, limitUntil } = summary;
  // A message that waits for a budget is queued; others that wait for an answer have begun.
  const isBusy = stateOf(record) === 'running' && state !== 'idle';
  return {
    name,
    owner: ownerOf(record),
    priority: place.priority,
    state: stateOf(record),
    sessionId: conversation,
    createdAt: new Date(startedAt),
    usedAt: new Date(changedAt),
    costUsd,
    messages: queued.length + (isBusy ? 1 : 0),
    limitUntil: limitUntil === undefined ? undefined : new Date(limitUntil),
    failure: failure ?? (state === 'ended' ? error : undefined),
    schedule: undefined,
  };
}

/** What a conversation has used. */
export function usageIn(record: FleetRecord | undefined): TurnUsage {
  return record === undefined ? NO_USAGE : usageOf(record.summary);
}
