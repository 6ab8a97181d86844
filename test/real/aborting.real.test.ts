import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { apiError, stall, text } from '../../src/lab/testing/model/replies.js';
import { ManualClock } from '../support/manual-clock.js';
import { describeRealClis, eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis('in the middle of a turn', (cli) => {
  test('a signal ends that turn and not the session', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    place.model.play([{ reply: stall(text('never the end')) }, { reply: text('and on') }]);
    const owner = new AbortController();
    const turn = session.send('go', { signal: owner.signal });
    await turn.began;
    await place.model.waitForRequest(({ kind }) => kind === 'main');
    const reason = new Error('enough');
    owner.abort(reason);
    expect(await turn.outcome).toMatchObject({ kind: 'aborted', cause: reason });
    place.model.play([{ reply: text('and on') }]);
    expect(await session.send('next').text()).toBe('and on');
  });

  test('close() interrupts and does not wait for the model', async () => {
    await using place = await realPlace(cli);
    const session = await place.open();
    place.model.play([{ reply: stall(text('never the end')) }]);
    const turn = session.send('go');
    await turn.began;
    await place.model.waitForRequest(({ kind }) => kind === 'main');
    // The model never ends its answer.
    await session.close();
    expect(await turn.outcome).toMatchObject({ kind: 'closed' });
  });
});

describeRealClis('a stopped process', (cli) => {
  test('cannot keep a turn open that has not begun', async () => {
    await using place = await realPlace(cli);
    const clock = new ManualClock();
    await using session = await openSession(place.options(), { clock });
    place.model.play([
      { when: 'next', reply: text('and on') },
      { reply: stall(text('never the end')), times: 'any' },
    ]);
    process.kill(Number(session.pid), 'SIGSTOP');
    const owner = new AbortController();
    const turn = session.send('go', { signal: owner.signal });
    const reason = new Error('enough');
    owner.abort(reason);
    await clock.pass(5_000);
    expect(await turn.outcome).toMatchObject({ kind: 'aborted', cause: reason });
    process.kill(Number(session.pid), 'SIGCONT');
    expect(await session.send('next').text()).toBe('and on');
  });
});

eachRealCli(
  'refused credentials end the turn at once if requested, and every retry is reported',
  async (cli) => {
    await using place = await realPlace(cli);
    await using session = await place.open({ stopOnAuthFailure: true });
    const heard: unknown[] = [];
    session.on('retry', (retry) => heard.push(retry));
    place.model.play([{ reply: apiError(401), times: 'any' }]);
    expect(await session.send('go').outcome).toMatchObject({ kind: 'auth' });
    expect(heard.length).toBeGreaterThan(0);
    expect(heard[0]).toMatchObject({ attempt: 1, status: 401 });
  },
  ['2.1.326'],
);
