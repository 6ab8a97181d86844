import { expect, onTestFinished, test, vi } from 'vitest';
import type { FleetSession } from '../../../../src/server/fleet/gateway/fleet-session.js';
import { keepRetention } from '../../../../src/server/fleet/gateway/retention.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('retention deletes many conversations at once, and each of them once', async () => {
  const summary = { state: 'ended', queued: [], prompts: [], changedAt: 1 };
  const all = Array.from({ length: 100 }, (_, at) => ({ id: `s${at}`, summary }) as unknown as FleetSession);
  // Another gateway has deleted the last one.
  const known = (id: string | undefined) => all.slice(0, -1).find((each) => each.id === id);
  const asked: string[] = [];
  const gate = deferred<void>();
  const askOwner = async (session: string) => {
    asked.push(session);
    await gate.promise;
  };
  const stop = keepRetention({
    clock: new ManualClock(),
    now: () => 1_000,
    sessions: { all, known },
    commands: { askOwner },
    retention: { maxAgeMs: 10 },
  });
  onTestFinished(stop);
  await vi.waitFor(() => expect(asked.length).toBe(32));
  gate.resolve();
  await vi.waitFor(() => expect(asked.length).toBe(99));
  expect(new Set(asked).size).toBe(99);
});
