import { describe, expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { apiFailure } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const always = { times: 'any' } as const;

describe('a message that joins', () => {
  test('is not passed on once the budget is spent', async () => {
    const { manager } = await emulatedManager(
      { scenarios: [echo] },
      { budgets: { conversation: 0.000_001 } },
    );
    const talk = manager.conversation('one');
    const turns = ['a', 'b'].map((text) => talk.send(text, { whileBusy: 'join' }));
    await turns[0]?.outcome;
    talk.send('c', { whileBusy: 'join' });
    await expect.poll(() => talk.state).toBe('paused');
  });

  test('waits for the end of a limit with the others, and they continue in order', async () => {
    const clock = new ManualClock();
    let time = 1_000_000_000_000;
    const text = `limit reached|${time / 1000 + 60}`;
    const limited = [onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], always)];
    const { manager, clis } = await emulatedManager(
      { scenarios: [limited, echo] },
      {},
      { clock, now: () => time },
    );
    const talk = manager.conversation('one');
    const ended: string[] = [];
    manager.on('turn', ({ messageId, outcome }) => ended.push(`${messageId} ${outcome.kind}`));
    const turns = ['a', 'b', 'c'].map((each) => talk.send(each, { whileBusy: 'join' }));
    const fails = talk.send('d', { whileBusy: 'join', onLimit: 'fail' });
    expect((await fails.outcome).kind).toBe('rate-limited');
    await expect.poll(() => talk.state).toBe('limited');
    time += 60_000;
    clock.advance(60_000);
    await Promise.all(turns.map(({ outcome }) => outcome));
    expect(ended).toEqual([
      `${fails.userMessageId} rate-limited`,
      ...turns.map(({ userMessageId }) => `${userMessageId} success`),
    ]);
    expect(clis()).toBe(2);
  });
});
