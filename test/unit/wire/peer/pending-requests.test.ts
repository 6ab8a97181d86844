import { expect, test } from 'vitest';
import { PendingRequests } from '../../../../src/wire/peer/pending-requests.js';
import { ManualClock } from '../../../support/manual-clock.js';

/** More than a function takes arguments. */
const MANY = 200_000;

test('a deadline passes alone, however many others wait, and theirs pass in their time', () => {
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
