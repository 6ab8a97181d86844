import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Deliveries } from '../../../../src/server/console/webhooks/deliveries.js';
import type { Attempt, post } from '../../../../src/server/console/webhooks/post.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../support/manual-clock.js';

const webhook = {
  id: 'w',
  url: 'https://hook.example/',
  events: [],
  secret: 'whsec_',
  createdAt: 1,
};

/** Deliveries whose attempts end in this way. */
function delivering(attempts: readonly Attempt[]) {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-deliveries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock();
  const send = vi.fn<typeof post>(async () => ({ ok: true }));
  for (const attempt of attempts) send.mockResolvedValueOnce(attempt);
  const deliveries = new Deliveries({ folder, clock, named: new Set(), find: () => webhook, send });
  onTestFinished(() => deliveries.close());
  return { deliveries, clock, send, folder };
}

const refused: Attempt = { ok: false, error: 'hook.example resolves to 10.0.0.1 (--webhook-host).' };

describe('a message that waits for its next attempt', () => {
  test('is listed with its last error and its next attempt', async () => {
    const { deliveries, clock, send } = delivering([refused]);
    deliveries.add(webhook, 'conversation.failed', '{}');
    await expect.poll(() => deliveries.failed).toHaveLength(1);
    const [listed] = deliveries.failed;
    expect(listed).toMatchObject({ attempts: 1, error: refused.error, nextAttemptAt: expect.any(Number) });
    expect(listed).not.toHaveProperty('owner');
    clock.advance(5_000);
    await expect.poll(() => deliveries.failed).toEqual([]);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('is tried at once if you ask for it', async () => {
    const { deliveries, send } = delivering([refused]);
    deliveries.add(webhook, 'conversation.failed', '{}');
    await expect.poll(() => deliveries.failed).toHaveLength(1);
    expect(deliveries.retry(deliveries.failed[0]?.id ?? '')).toBe(true);
    await expect.poll(() => deliveries.failed).toEqual([]);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('is not sent again if you remove it', async () => {
    const { deliveries, clock, send } = delivering([refused]);
    deliveries.add(webhook, 'conversation.failed', '{}');
    await expect.poll(() => deliveries.failed).toHaveLength(1);
    expect(deliveries.forget(deliveries.failed[0]?.id ?? '')).toBe(true);
    expect(deliveries.failed).toEqual([]);
    expect(clock.size).toBe(0);
    expect(send).toHaveBeenCalledTimes(1);
  });
});

test('A message that is given up is listed without a next attempt', async () => {
  const { deliveries } = delivering([{ ...refused, isFinal: true }]);
  deliveries.add(webhook, 'conversation.failed', '{}');
  await expect.poll(() => deliveries.failed).toHaveLength(1);
  expect(deliveries.failed[0]).not.toHaveProperty('nextAttemptAt');
});

test('A message that was delivered is over, even if its file cannot be removed', async () => {
  const { deliveries, send, folder } = delivering([]);
  const id = deferred<string>();
  const attempt = deferred<Attempt>();
  send.mockImplementationOnce((message) => {
    id.resolve(message.id);
    return attempt.promise;
  });
  deliveries.add(webhook, 'conversation.failed', '{}');
  const path = join(folder, 'pending', `${await id.promise}.json`);
  rmSync(path);
  mkdirSync(path);
  const closed = deliveries.close();
  attempt.resolve({ ok: true });
  await expect(closed).resolves.toBeUndefined();
  expect(deliveries.failed).toEqual([]);
});
