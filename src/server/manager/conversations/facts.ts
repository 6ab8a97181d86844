import type { ConversationFacts } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';

/** The reported facts of a conversation. */
export function factsOf(
  record: ConversationRecord,
  {
    state,
    messages,
    heldUntil,
  }: Pick<ConversationFacts, 'state' | 'messages'> & { readonly heldUntil?: number | undefined },
): ConversationFacts {
  const { name, owner, priority, sessionId, createdAt, usedAt, costUsd, failure, schedule } = record;
  const limitUntil = heldUntil ?? record.limitUntil;
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
