import { describe, expect, test } from 'vitest';
import { type StopReason, StopSequence } from '../../../../src/command/run/stop-sequence.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { settle } from '../../../support/settle.js';

function setUp({ running = true } = {}) {
  const clock = new ManualClock();
  const interrupted = deferred<void>();
  const done: string[] = [];
  const said: string[] = [];
  const ladder = new StopSequence({
    running: () => running,
    interrupt: () => {
      done.push('interrupt');
      return interrupted.promise;
    },
    close: async () => void done.push('close'),
    kill: (code) => void done.push(`kill ${code}`),
    say: (text) => void said.push(text),
    after: (ms, run) => clock.after(ms, run),
  });
  return { ladder, clock, interrupted, done, said };
}

test('Ctrl-C interrupts, then closes, then kills', () => {
  const { ladder, done, said } = setUp();
  ladder.take('SIGINT');
  expect(done).toEqual(['interrupt']);
  ladder.take('SIGINT');
  expect(done).toEqual(['interrupt', 'close']);
  ladder.take('SIGINT');
  expect(done).toEqual(['interrupt', 'close', 'kill 130']);
  expect(said).toEqual([
    'Ctrl-C: interrupting the turn. Ctrl-C again closes the session.',
    'Ctrl-C: closing the session. Ctrl-C kills the CLI immediately.',
    'Killing the CLI.',
  ]);
});

test('Ctrl-C leaves the session open when the interrupt worked', async () => {
  const { ladder, interrupted, done } = setUp();
  ladder.take('SIGINT');
  interrupted.resolve();
  await settle();
  expect(done).toEqual(['interrupt']);
});

test('a CLI that ignores the interrupt is closed', async () => {
  const { ladder, interrupted, done } = setUp();
  ladder.take('SIGINT');
  interrupted.reject(new Error('no answer'));
  await settle();
  expect(done).toEqual(['interrupt', 'close']);
});

test('without a turn the first signal closes', () => {
  const { ladder, done } = setUp({ running: false });
  ladder.take('SIGINT');
  expect(done).toEqual(['close']);
  ladder.take('SIGINT');
  expect(done).toEqual(['close', 'kill 130']);
});

describe.each(['SIGTERM', 'SIGHUP', 'SIGPIPE', 'timeout'] as const)('%s', (reason) => {
  test('interrupts, and closes when the turn has ended', async () => {
    const { ladder, clock, interrupted, done } = setUp();
    ladder.take(reason);
    interrupted.resolve();
    await settle();
    expect(done).toEqual(['interrupt', 'close']);
    expect(clock.size).toBe(0);
  });

  test('does not wait long for the turn', () => {
    const { ladder, clock, done } = setUp();
    ladder.take(reason);
    clock.advance(5_000);
    expect(done).toEqual(['interrupt', 'close']);
  });

  test('kills on the second signal', () => {
    const { ladder, done } = setUp();
    ladder.take(reason);
    ladder.take(reason);
    expect(done.at(-1)).toMatch(/^kill/);
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGPIPE', 141],
  ['timeout', 3],
] as const satisfies readonly (readonly [StopReason, number])[])(
  '%s stands for exit code %d',
  (reason, code) => {
    const { ladder } = setUp();
    expect([ladder.reason, ladder.exitCode]).toEqual([undefined, undefined]);
    ladder.take(reason);
    expect([ladder.reason, ladder.exitCode]).toEqual([reason, code]);
  },
);

test('the first reason determines the exit code', () => {
  const { ladder } = setUp();
  ladder.take('timeout');
  ladder.take('SIGINT');
  expect(ladder.exitCode).toBe(3);
});

test('no timer is left when the conversation has ended', () => {
  const { ladder, clock } = setUp();
  ladder.take('SIGTERM');
  ladder.stop();
  expect(clock.size).toBe(0);
});
