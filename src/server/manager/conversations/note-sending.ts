import type { MessageRecord } from '../store/record.js';
import type { Entry } from './message-list.js';
import type { Surroundings } from './surroundings.js';

/** Records that a CLI is about to get a message; returns whether the disk accepted that. */
export function noteSending(
  entry: Entry,
  { store, makeUuid }: Pick<Surroundings, 'store' | 'makeUuid'>,
): boolean {
  if (entry.fresh) {
    entry.fresh = false;
    return true;
  }
  // A resumed CLI drops an id that it knows.
  const sentAs = entry.record.state === 'held' ? {} : { sentAs: makeUuid() };
  const record: MessageRecord = { ...entry.record, state: 'sent', ...sentAs };
  try {
    store.saveMessage(record);
  } catch {
    return false;
  }
  entry.record = record;
  return true;
}
