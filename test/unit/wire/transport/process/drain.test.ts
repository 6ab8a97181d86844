import { expect, test } from 'vitest';
import { drained } from '../../../../../src/wire/transport/process/line-process.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../../support/manual-clock.js';

function setUp() {
  const clock = new ManualClock();
  const done = deferred<void>();
  const started = deferred<void>();
  const state = { bytes: 0, over: false };
  const draining = drained({
    done: done.promise,
    started: started.promise,
    progress: () => state.bytes,
    clock,
  }).then(() => {
    state.over = true;
  });
  return { clock, done, started, state, draining };
}

test('ends at once when the pipes end', async () => {
  const { clock, done, started, draining } = setUp();
  started.resolve();
  done.resolve();
  await draining;
  expect(clock.size).toBe(0);
});

test('ends when a pipe that is held open stays silent', async () => {
  const { clock, started, state } = setUp();
  started.resolve();
  await clock.pass(99);
  expect(state.over).toBe(false);
  await clock.pass(60);
  expect(state.over).toBe(true);
});

test('continues while something arrives, but not forever', async () => {
  const { clock, started, state } = setUp();
  started.resolve();
  for (let round = 0; round < 20; round += 1) {
    state.bytes += 1;
    await clock.pass(50);
  }
  expect(state.over).toBe(false);
  for (let round = 0; round < 200 && !state.over; round += 1) {
    state.bytes += 1;
    await clock.pass(50);
  }
  expect(state.over).toBe(true);
  expect(clock.now()).toBeLessThan(10_000);
});

test('waits for a reader, but not forever', async () => {
  const { clock, state } = setUp();
  await clock.pass(900);
  expect(state.over).toBe(false);
  await clock.pass(400);
  expect(state.over).toBe(true);
});
