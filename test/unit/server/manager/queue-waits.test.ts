import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { QueueWaits } from '../../../../src/server/manager/conversations/queue-waits.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('a wait that ends in time leaves no timer that could end a later one', async () => {
  const clock = new ManualClock();
  const waits = new QueueWaits(clock, () => {});
  expect(await waits.within(1_000, Promise.resolve('found'))).toBe('found');
  expect(clock.size).toBe(0);
  const answer = deferred<string>();
  const later = waits.for(answer.promise, 'paused');
  clock.advance(1_000);
  expect(waits.waitsFor).toBe('paused');
  answer.resolve('answered');
  expect([await later, waits.waitsFor]).toEqual(['answered', undefined]);
});

test('a wait ends when its time is over, when the queue is empty, and when it is stopped', async () => {
  const clock = new ManualClock();
  const waits = new QueueWaits(clock, () => {});
  const never = new Promise<never>(() => {});
  const late = waits.within(1_000, never);
  clock.advance(1_000);
  expect(await late).toBe('over');
  const emptied = waits.within(1_000, never);
  waits.emptied();
  expect(await emptied).toBe('emptied');
  const stopped = waits.for(never, 'limited');
  waits.stop();
  expect([await stopped, clock.size]).toEqual(['stopped', 0]);
});

test('a wait that is over leaves nothing behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const waits = new QueueWaits(new ManualClock(), () => {});
  const wait = async () => new WeakRef((await waits.for(Promise.resolve({ found: true }))) as object);
  const found = await wait();
  await setImmediate();
  collect();
  expect(found.deref()).toBeUndefined();
  expect(waits.stopped).toBe(false);
});
