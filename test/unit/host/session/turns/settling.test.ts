import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Settling } from '../../../../../src/host/session/turns/settling.js';
import { ManualClock } from '../../../../support/manual-clock.js';

function makeSettling(busy = true) {
  const clock = new ManualClock();
  const state = { busy };
  return { clock, state, settling: new Settling({ isBusy: () => state.busy, clock }) };
}

test('an idle session is settled at once', async () => {
  await makeSettling(false).settling.wait();
});

test('a busy one is settled when the work ends', async () => {
  const { settling, state, clock } = makeSettling();
  const waiting = settling.wait({ deadlineMs: 1000 });
  state.busy = false;
  settling.changed();
  await waiting;
  expect(clock.size).toBe(0);
});

test('after a background task it waits for the unrequested turn, but not forever', async () => {
  const { settling, state, clock } = makeSettling(false);
  settling.expectTurn();
  let settled = false;
  const waiting = settling.wait().then(() => (settled = true));
  // The turn is reported before it counts as running.
  settling.turnCame();
  state.busy = true;
  settling.changed();
  await null;
  expect(settled).toBe(false);
  state.busy = false;
  settling.changed();
  await waiting;
  settling.expectTurn();
  const second = settling.wait();
  clock.advance(2_000);
  await second;
});

test('after a task that ended during a turn it waits from the end of that turn', async () => {
  const { settling, state, clock } = makeSettling();
  settling.expectTurn();
  let settled = false;
  const waiting = settling.wait().then(() => (settled = true));
  clock.advance(60_000);
  state.busy = false;
  settling.changed();
  await null;
  expect(settled).toBe(false);
  clock.advance(2_000);
  await waiting;
  expect(clock.size).toBe(0);
});

test('the wait ends at the deadline, the signal or the end of the session, and leaves nothing', async () => {
  const { settling, clock, state } = makeSettling();
  const timedOut = expect(settling.wait({ deadlineMs: 10 })).rejects.toMatchObject({
    code: 'REQUEST_TIMEOUT',
  });
  clock.advance(10);
  await timedOut;
  const controller = new AbortController();
  const aborted = expect(settling.wait({ signal: controller.signal })).rejects.toMatchObject({
    code: 'REQUEST_ABORTED',
  });
  controller.abort();
  await aborted;
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  await expect(settling.wait({ signal: controller.signal })).rejects.toMatchObject({
    code: 'REQUEST_ABORTED',
  });
  const ended = settling.wait();
  state.busy = false;
  settling.end();
  await ended;
  expect(clock.size).toBe(0);
});
