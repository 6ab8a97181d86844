import { describe, expect, test } from 'vitest';
import { apiError, cut, stall, text } from '../../../../../src/lab/testing/model/replies.js';
import type { Script } from '../../../../../src/lab/testing/model/script.js';
import { ScriptRunner } from '../../../../../src/lab/testing/model/script-runner.js';
import { mainBody, modelRequest, toolResultMessage } from '../../../../support/model-requests.js';

const ask = (said: string) => modelRequest(mainBody(said));

async function answers(script: Script, ...texts: string[]) {
  const runner = new ScriptRunner(script);
  const replies = [];
  for (const said of texts) replies.push(await runner.answer(ask(said)));
  return { runner, replies };
}

describe('ScriptRunner', () => {
  test('answers each request with the reply of its step', async () => {
    const { runner, replies } = await answers([text('one'), { when: 'b', reply: text('two') }], 'a', 'b');
    expect(replies).toEqual([text('one'), text('two')]);
    expect(runner.finished).toBe(true);
    expect(() => runner.assertFinished()).not.toThrow();
  });

  test('lets a step create its reply from the request', async () => {
    const { replies } = await answers(
      [{ reply: async (request) => text(`you said ${request.userText}`) }],
      'a',
    );
    expect(replies).toEqual([text('you said a')]);
  });

  test('calls a function for every reply', async () => {
    const { runner, replies } = await answers((request) => text(request.userText), 'a', 'b');
    expect(replies).toEqual([text('a'), text('b')]);
    expect(runner.finished).toBe(true);
  });

  test('answers an unexpected request with an error that is not retried, and fails with a table', async () => {
    const { runner, replies } = await answers([{ when: 'a', reply: text('one') }], 'b');
    expect(replies[0]).toMatchObject({
      error: 400,
      message: expect.stringContaining('step 1: text with "a"'),
    });
    expect(() => runner.assertFinished()).toThrow(expect.objectContaining({ code: 'MODEL_SCRIPT_FAILED' }));
    expect(runner.report()).toBe(
      [
        'step  expected               got',
        '1     text with "a"          never came',
        '!     step 1: text with "a"  request 1: user text "b"',
      ].join('\n'),
    );
  });

  test('continues with the expected step after an unexpected request', async () => {
    const { runner, replies } = await answers([{ when: 'a', reply: text('one') }], 'b', 'a');
    expect(replies[1]).toEqual(text('one'));
    expect(runner.finished).toBe(false);
  });

  test('counts repeats of an unexpected request as one problem', async () => {
    const { runner } = await answers([], 'b', 'b', 'b');
    expect(runner.report()).toContain('request 1: user text "b" (3 times)');
    expect(runner.report().split('\n')).toHaveLength(2);
  });

  test('fails for unused steps', async () => {
    const { runner } = await answers([text('one'), { when: { toolResult: 'x' }, reply: text('two') }], 'a');
    expect(() => runner.assertFinished()).toThrow(
      /0 unexpected, 1 left over[\s\S]*tool result with "x" +never came/,
    );
  });

  test('answers retries of a permanent error with the same error, and continues with the next prompt', async () => {
    const script = [apiError(400), text('next')];
    const { runner, replies } = await answers(script, 'a', 'a', 'a', 'b');
    expect(replies).toEqual([apiError(400), apiError(400), apiError(400), text('next')]);
    expect(runner.finished).toBe(true);
  });

  test('recognises a retry even if the CLI changed its tools and system messages', async () => {
    const runner = new ScriptRunner([apiError(400)]);
    const messages = [{ role: 'user', content: 'a' }];
    const system = { role: 'system', content: 'environment' };
    await runner.answer(modelRequest(mainBody('', { messages })));
    const again = modelRequest(mainBody('', { messages: [...messages, system], tools: [], stream: true }));
    expect(await runner.answer(again)).toEqual(apiError(400));
    expect(runner.finished).toBe(true);
  });

  test.each([
    ['a rate limit', apiError(429)],
    ['an overload', apiError(529)],
    ['a broken stream', cut(text('abc'))],
    ['a stalled stream', stall()],
  ])('lets the retry after %s take the next step', async (_, failure) => {
    const { runner, replies } = await answers([failure, text('better')], 'a', 'a');
    expect(replies).toEqual([failure, text('better')]);
    expect(runner.finished).toBe(true);
  });

  test('keeps failing in the same transient way if no step is left', async () => {
    const { runner, replies } = await answers([apiError(529)], 'a', 'a', 'a');
    expect(replies).toEqual([apiError(529), apiError(529), apiError(529)]);
    expect(runner.finished).toBe(true);
  });

  test('lets a step with a count fail exactly that often', async () => {
    const { replies } = await answers([{ reply: apiError(401), times: 2 }, text('in')], 'a', 'a', 'a');
    expect(replies).toEqual([apiError(401), apiError(401), text('in')]);
  });

  test('does not treat a failure as a retry once the retry has succeeded', async () => {
    const { replies } = await answers([apiError(529), text('better')], 'a', 'a', 'a');
    expect(replies[2]).toMatchObject({ error: 400 });
  });

  test('remembers a bounded number of failures', async () => {
    const others = Array.from({ length: 100 }, (_, index) => `other ${index}`);
    const script = [
      { when: 'first', reply: apiError(400) },
      { reply: apiError(529), times: 'any' as const },
    ];
    const { replies } = await answers(script, 'first', ...others, 'first');
    expect([replies[0], replies.at(-1)]).toEqual([apiError(400), apiError(529)]);
  });

  test('does not treat the same text in a longer conversation as a retry', async () => {
    const runner = new ScriptRunner([apiError(400), text('next')]);
    await runner.answer(ask('a'));
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'y' },
      { role: 'user', content: 'a' },
    ];
    expect(await runner.answer(modelRequest(mainBody('', { messages })))).toEqual(text('next'));
  });

  test.each<[string, Script, RegExp]>([
    ['a function that throws', () => { throw new Error('oh no'); }, /the script threw: oh no/], // biome-ignore format: short
    ['a function that rejects', () => Promise.reject(new Error('oh no')), /the script threw: oh no/],
    ['a function that has no reply', () => undefined, /a request that the script answers/],
    ['a function that replies nonsense', () => ({ nonsense: 1 }) as never, /must be a reply/],
    ['a step that throws', [{ reply: () => { throw new Error('oh no'); } }], /the script threw: oh no/], // biome-ignore format: short
  ])('%s fails the script and answers with an error', async (_, script, problem) => {
    const { runner, replies } = await answers(script, 'a');
    expect(replies[0]).toMatchObject({ error: 400 });
    expect(() => runner.assertFinished()).toThrow(problem);
  });

  test('shows tool results in the table, truncated', async () => {
    const runner = new ScriptRunner([]);
    const long = 'x'.repeat(100);
    await runner.answer(modelRequest(mainBody('', { messages: [toolResultMessage('made', long)] })));
    expect(runner.report()).toContain(`request 1: tool result "made", "${'x'.repeat(60)}…"`);
  });

  test('keeps a bounded list of problems', async () => {
    const runner = new ScriptRunner([]);
    for (let count = 0; count < 200; count += 1) await runner.answer(ask(`text ${count}`));
    expect(runner.report().split('\n')).toHaveLength(51);
  });
});
