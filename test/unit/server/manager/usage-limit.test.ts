import { expect, test } from 'vitest';
import { QueueWaits } from '../../../../src/server/manager/conversations/queue-waits.js';
import { UsageLimit } from '../../../../src/server/manager/conversations/usage-limit.js';
import type { ConversationRecord } from '../../../../src/server/manager/store/record.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('a limit ends exactly when the CLI says, although time passes meanwhile', () => {
  let time = 1_000_000;
  const now = () => {
    time += 1;
    return time;
  };
  let record = {} as ConversationRecord;
  const owner = {
    get record() {
      return record;
    },
    update: (change: Partial<ConversationRecord>) => {
      record = { ...record, ...change };
    },
    append: () => {},
  };
  const waits = new QueueWaits(new ManualClock(), () => {});
  const limit = new UsageLimit(owner, { now, random: () => 0, options: { limitSpreadMs: 0 } }, waits);
  limit.met({
    kind: 'rate-limited',
    message: 'limit',
    endsAt: new Date(5_000_000),
    durationMs: 1,
    endedBy: 'cli',
  } as never);
  expect(record.limitUntil).toBe(5_000_000);
});
