import { expect, test } from 'vitest';
import { within } from '../../../../src/wire/util/clock.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('waiting with a limit returns whether the promise settled, and leaves no timer', async () => {
  const clock = new ManualClock();
  expect(await within(Promise.resolve(), 10, clock)).toBe(true);
  expect(await within(Promise.reject(new Error('x')), 10, clock)).toBe(true);
  expect(clock.size).toBe(0);
  const never = within(new Promise(() => {}), 10, clock);
  await clock.pass(10);
  expect(await never).toBe(false);
});
