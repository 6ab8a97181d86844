import { expect, test } from 'vitest';
import { apiError, stall, text } from '../../src/lab/testing/model/replies.js';
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
    await place.until(() => place.model.model.requests.length > 0);
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
    await place.until(() => place.model.model.requests.length > 0);
    const began = Date.now();
    await session.close();
    const tookMs = Date.now() - began;
    expect(await turn.outcome).toMatchObject({ kind: 'closed' });
    // A second on a quiet machine. A CLI that first finishes its turn takes at least five.
    expect(tookMs).toBeLessThan(5_000);
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
  ['2.1.325'],
);
