import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { PendingRequests } from '../../../../src/wire/peer/pending-requests.js';
import { ManualClock } from '../../../support/manual-clock.js';

/** More than the maximum number of function arguments. */
const MANY = 200_000;

test('a deadline affects only its own request, however many others wait', () => {
  const clock = new ManualClock();
  const givenUp: string[] = [];
  const pending = new PendingRequests(clock, (id) => givenUp.push(id));
  const wait = (id: string, deadlineMs: number) =>
    pending.open(id, { label: 'x', deadlineMs }).catch(() => {});
  for (let count = 0; count < MANY; count += 1) void wait(`${count}`, 1_000);
  void wait('first', 10);
  clock.advance(10);
  expect(givenUp).toEqual(['first']);
  clock.advance(989);
  expect(givenUp).toHaveLength(1);
  clock.advance(1);
  expect(givenUp).toHaveLength(MANY + 1);
  expect(clock.size).toBe(0);
});

test('one listener serves all requests of a signal, and is removed with the last of them', async () => {
  const clock = new ManualClock();
  const givenUp: string[] = [];
  const pending = new PendingRequests(clock, (id) => givenUp.push(id));
  const [one, other] = [new AbortController(), new AbortController()];
  const listeners = () => getEventListeners(one.signal, 'abort').length;
  const wait = (id: string, { signal }: AbortController) =>
    pending.open(id, { label: `the ${id}`, deadlineMs: 1_000, signal }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
  const waits = [wait('first', one), wait('second', one), wait('third', one), wait('fourth', other)];
  expect(listeners()).toBe(1);
  pending.settle({ kind: 'success', id: 'first', value: {}, beside: {} });
  expect(listeners()).toBe(1);
  one.abort();
  expect(givenUp).toEqual(['second', 'third']);
  expect(listeners()).toBe(0);
  pending.settle({ kind: 'success', id: 'fourth', value: {}, beside: {} });
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  expect(await Promise.all(waits)).toEqual([
    'answered',
    'the second was aborted by its caller.',
    'the third was aborted by its caller.',
    'answered',
  ]);
});
