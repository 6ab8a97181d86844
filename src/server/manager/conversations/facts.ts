import type { ConversationFacts } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';

/** The reported facts of a conversation. */
export function factsOf(
  record: ConversationRecord,
  { state, messages }: Pick<ConversationFacts, 'state' | 'messages'>,
): ConversationFacts {
  const { name, owner, priority, sessionId, createdAt, usedAt, costUsd, limitUntil, failure, schedule } =
    record;
  return {
    name,
    owner,
    priority,
    state,
    messages,
    sessionId,
    costUsd,
    createdAt: new Date(createdAt),
    usedAt: new Date(usedAt),
    limitUntil: limitUntil === undefined ? undefined : new Date(limitUntil),
    failure: failure?.message,
    schedule,
  };
}
