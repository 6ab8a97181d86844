import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiError, cut, type Reply, stall, text } from '../../src/lab/testing/model/replies.js';
import { type RealCli, realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { type ChangingModel, changingModel } from './support/changing-model.js';
import { describeRealClis } from './support/each-real-cli.js';
import { RawConversation } from './support/raw-conversation.js';

describeRealClis('a model that fails', ({ version }) => {
  let changing: ChangingModel;
  let cli: RealCli;
  let conversation: RawConversation;

  beforeAll(async () => {
    changing = await changingModel();
    cli = await realCli({ version, model: changing.model, env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    conversation = new RawConversation(cli);
  });

  afterAll(async () => {
    await cli?.close();
    await changing?.[Symbol.asyncDispose]();
  });

  test.each([400, 401, 403, 404, 429, 500, 529])(
    'with %d permanently ends the turn with an error',
    async (status) => {
      const message = `the words of ${status}`;
      const script = changing.play([
        { when: `ask ${status}`, reply: apiError(status, { message, retryAfter: 0 }) },
      ]);
      const { frames, result } = await conversation.turn(`ask ${status}`);
      expect(result).toMatchObject({ type: 'result', subtype: 'success', is_error: true });
      expect(synthetic(frames)).toHaveLength(1);
      script.assertFinished();
    },
  );

  test.each<[string, Reply]>([
    ['a rate limit with retry-after', apiError(429, { retryAfter: 0 })],
    ['a server error', apiError(500)],
    ['an overload', apiError(529)],
    ['a broken stream', cut(text('this much and no mo'))],
    ['a stream broken at its start', cut()],
  ])('once, with %s, is called again and the turn succeeds', async (_, failure) => {
    const script = changing.play([failure, text('better now')]);
    const { result } = await conversation.turn('try');
    script.assertFinished();
    expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'better now' });
  });

  test('in every stream ends the turn with an error', async () => {
    const script = changing.play([{ reply: cut(text('this much')), times: 'any' }]);
    const { result } = await conversation.turn('try forever');
    script.assertFinished();
    expect(result).toMatchObject({ subtype: 'success', is_error: true });
  });

  test('by going silent can be interrupted, and the session continues', async () => {
    const script = changing.play([stall(text('just a mom')), text('here again')]);
    const from = conversation.frames.length;
    await conversation.say('wait');
    await changing.waitForRequest(({ userText }) => userText.endsWith('wait'));
    expect(await conversation.request('interrupt')).toMatchObject({ subtype: 'success' });
    const result = await conversation.waitFor((frame) => frame.type === 'result', from);
    expect(result).toMatchObject({ subtype: 'error_during_execution' });
    expect((await conversation.turn('and now?')).result).toMatchObject({ result: 'here again' });
    script.assertFinished();
  });

  test('because its script expects something else is not retried for long', async () => {
    const calls = () => changing.model.requests.filter(({ kind }) => kind === 'main').length;
    const before = calls();
    const script = changing.play([{ when: 'the password', reply: text('in') }]);
    const { result } = await conversation.turn('let me in');
    expect(result).toMatchObject({ is_error: true, result: expect.stringContaining('did not expect') });
    expect(() => script.assertFinished()).toThrow(/1 unexpected, 1 left over/);
    // 2.0.73 calls twice, 2.1.17 once, 2.1.326 six times.
    expect(calls() - before).toBeLessThanOrEqual(6);
  });
});

/** The messages that a CLI creates instead of the model's. */
function synthetic(frames: readonly WireObject[]): readonly WireObject[] {
  return frames.filter(
    (frame) => frame.type === 'assistant' && (frame.message as WireObject).model === '<synthetic>',
  );
}
