import { expect, test } from 'vitest';
import { askAgain } from '../../../../src/server/managers/served/ask-again.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { ManualClock } from '../../../support/manual-clock.js';

const unclear = () => new CoxswainError('FLEET_UNANSWERED', 'Nobody can tell yet.');

/** Asks with these answers, the last one again and again; the message may be over after some of them. */
function asking(answers: readonly (Error | 'ok')[], overAfter = Number.POSITIVE_INFINITY) {
  const clock = new ManualClock();
  const left = new AbortController();
  const seen = { asked: 0, unclear: 0 };
  const ask = async () => {
    const answer = answers[Math.min(seen.asked, answers.length - 1)];
    seen.asked += 1;
    if (answer instanceof Error) throw answer;
  };
  const outcome = askAgain(ask, {
    clock,
    signal: left.signal,
    isOver: () => seen.asked >= overAfter,
    onUnclear: () => {
      seen.unclear += 1;
    },
  });
  return { clock, left, seen, outcome };
}

test('a message without a clear answer is sent again until a worker answers', async () => {
  const { clock, seen, outcome } = asking([unclear(), unclear(), 'ok']);
  await clock.pass(5_000);
  expect(await outcome).toBeUndefined();
  expect(seen).toEqual({ asked: 3, unclear: 2 });
});

test('a message that no worker has is an error, and is not sent again', async () => {
  const { seen, outcome } = asking([new CoxswainError('FLEET_NO_WORKER', 'No worker.')]);
  expect(await outcome).toEqual({ kind: 'error', message: 'No worker.' });
  expect(seen).toEqual({ asked: 1, unclear: 0 });
});

test('a message of which nobody can tell for long has an unknown fate', async () => {
  const { clock, outcome } = asking([unclear()]);
  await clock.pass(11 * 60_000);
  expect(await outcome).toEqual({ kind: 'unknown', message: 'Nobody can tell yet.' });
  expect(clock.size).toBe(0);
});

test('nothing is sent again once the outcome is known, or the program leaves', async () => {
  const over = asking([unclear()], 1);
  await over.clock.pass(60_000);
  expect([await over.outcome, over.seen.asked]).toEqual([undefined, 1]);
  const away = asking([unclear()]);
  away.left.abort();
  await away.clock.pass(60_000);
  expect([await away.outcome, away.seen.asked]).toEqual([undefined, 1]);
});
