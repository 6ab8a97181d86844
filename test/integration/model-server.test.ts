import { describe, expect, test } from 'vitest';
import { apiError, drip, reply, text, thinking, toolUse } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../src/lab/testing/model/scripted-model.js';
import { eventsOf, jsonOf, post } from '../support/model-client.js';
import { mainBody, toolResultMessage } from '../support/model-requests.js';

async function withModel(
  script: Parameters<typeof scriptModel>[0],
  use: (model: ScriptedModel) => Promise<void>,
  options: Parameters<typeof scriptModel>[1] = {},
): Promise<void> {
  await using model = await scriptModel(script, options);
  await use(model);
}

describe('messages', () => {
  test('answers a request that does not stream with one whole message', () =>
    withModel([reply([text('a'), toolUse('Bash', { command: 'ls' })])], async (model) => {
      const response = await post(model, mainBody('hi'));
      expect(response.status).toBe(200);
      expect(await jsonOf(response)).toMatchObject({
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
        ],
        stop_reason: 'tool_use',
      });
    }));

  test('streams thinking, text and several tool calls of one message', () =>
    withModel([[thinking('hm'), text('a'), toolUse('A'), toolUse('B')]], async (model) => {
      const response = await post(model, mainBody('hi', { stream: true }));
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const events = await eventsOf(response);
      const starts = events.filter((event) => event.type === 'content_block_start');
      expect(starts.map((event) => event.content_block)).toMatchObject([
        { type: 'thinking' },
        { type: 'text' },
        { type: 'tool_use', name: 'A' },
        { type: 'tool_use', name: 'B' },
      ]);
      expect(events.at(-1)).toEqual({ type: 'message_stop' });
    }));

  test('gives every message and every tool call its own id', () =>
    withModel([[toolUse('A'), toolUse('B')], [toolUse('C')]], async (model) => {
      const first = await jsonOf(await post(model, mainBody('a')));
      const second = await jsonOf(await post(model, mainBody('b')));
      const ids = [first, second].flatMap((message) => [
        message.id,
        ...(message.content as { id: string }[]).map((block) => block.id),
      ]);
      expect(new Set(ids).size).toBe(5);
    }));

  test('sends errors with their status, type and retry-after', () =>
    withModel([apiError(429, { retryAfter: 3, message: 'slow down' })], async (model) => {
      const response = await post(model, mainBody('hi'));
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
      expect(await jsonOf(response)).toEqual({
        type: 'error',
        error: { type: 'rate_limit_error', message: 'slow down' },
      });
    }));

  test('runs a conversation across tool results, whatever system messages follow', () =>
    withModel(
      [
        { when: 'hello', reply: toolUse('Bash', { command: 'ls' }) },
        { when: { toolResult: 'file.txt' }, reply: text('done') },
      ],
      async (model) => {
        await post(model, mainBody('hello'));
        const system = { role: 'system', content: [{ type: 'text', text: 'an environment' }] };
        const messages = [toolResultMessage('file.txt'), system];
        expect(await jsonOf(await post(model, mainBody('', { messages })))).toMatchObject({
          content: [{ type: 'text', text: 'done' }],
        });
        model.assertFinished();
      },
    ));

  test('answers two requests at the same time', () =>
    withModel(
      [
        { when: 'slow', reply: drip(text('slowly'), { delayMs: 1 }) },
        { when: 'quick', reply: text('now') },
      ],
      async (model) => {
        const both = await Promise.all([
          post(model, mainBody('slow', { stream: true })).then(eventsOf),
          model
            .waitForRequest((request) => request.userText === 'slow')
            .then(() => post(model, mainBody('quick', { stream: true })).then(eventsOf)),
        ]);
        expect(both.map((events) => events.at(-1)?.type)).toEqual(['message_stop', 'message_stop']);
        model.assertFinished();
      },
    ));
});

test('never closes an idle connection by itself, so that no CLI loses a request on one', () =>
  withModel([], async (model) => {
    const { headers } = await fetch(model.url);
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
  }));

describe('side calls', () => {
  const warmUp = mainBody('Warmup', { tools: [] });
  const smallModel = mainBody('hello, in a title', { tools: [], model: 'claude-haiku-4-5' });
  const probe = mainBody('quota', { max_tokens: 1, tools: undefined });

  test('get a default answer and use no step', () =>
    withModel([{ when: 'hello', reply: text('main') }], async (model) => {
      for (const body of [warmUp, smallModel, probe]) {
        expect(await jsonOf(await post(model, body))).toMatchObject({ content: [{ text: 'ok' }] });
      }
      expect(await jsonOf(await post(model, mainBody('hello')))).toMatchObject({
        content: [{ text: 'main' }],
      });
      model.assertFinished();
      expect(model.requests.map(({ kind }) => kind)).toEqual(['side', 'side', 'side', 'main']);
    }));

  test('are answered as configured', () =>
    withModel(
      [],
      async (model) => {
        expect(await jsonOf(await post(model, warmUp))).toMatchObject({ content: [{ text: 'Warmup?' }] });
      },
      { sideReply: (request) => text(`${request.userText}?`) },
    ));

  test('can be detected by a custom function', () =>
    withModel(
      [text('main')],
      async (model) => {
        expect(await jsonOf(await post(model, warmUp))).toMatchObject({ content: [{ text: 'main' }] });
        model.assertFinished();
      },
      { isSideCall: () => false },
    ));

  test('a conversation without tools is distinguished from them by the text that the script waits for', () =>
    withModel([{ when: 'hello', reply: text('main') }], async (model) => {
      await post(model, warmUp);
      const answer = await post(model, mainBody('hello', { tools: [] }));
      expect(await jsonOf(answer)).toMatchObject({ content: [{ text: 'main' }] });
      model.assertFinished();
    }));
});

describe('other routes', () => {
  test('counts tokens without using a step', () =>
    withModel([], async (model) => {
      const response = await post(model, mainBody('hi'), { path: '/v1/messages/count_tokens?beta=true' });
      expect(await jsonOf(response)).toEqual({ input_tokens: expect.any(Number) });
      model.assertFinished();
    }));

  test('counts tokens as configured', () =>
    withModel(
      [],
      async (model) => {
        const response = await post(model, mainBody('hi'), { path: '/v1/messages/count_tokens' });
        expect(await jsonOf(response)).toEqual({ input_tokens: 42 });
      },
      { countTokens: () => 42 },
    ));

  test.each(['HEAD', 'GET'])('tolerates a %s probe', (method) =>
    withModel([], async (model) => {
      expect((await fetch(model.url, { method })).status).toBe(200);
      model.assertFinished();
    }),
  );

  test('answers an unknown route with a 404 and records it', () =>
    withModel([], async (model) => {
      const response = await fetch(`${model.url}/api/hello?x=1`);
      expect(response.status).toBe(404);
      expect(await jsonOf(response)).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error', message: 'The scripted model has no GET /api/hello.' },
      });
      expect(model.requests).toMatchObject([{ kind: 'other', method: 'GET', path: '/api/hello' }]);
    }));
});

describe('the record', () => {
  test('keeps requests, without secrets', () =>
    withModel([text('a')], async (model) => {
      await post(model, mainBody('hi', { stream: true }));
      expect(model.requests).toMatchObject([
        {
          number: 1,
          kind: 'main',
          model: 'claude-sonnet-4-5',
          stream: true,
          toolNames: ['Bash'],
          userText: 'hi',
        },
      ]);
      expect(JSON.stringify(model.requests)).not.toContain('a-secret-key');
    }));

  test('is bounded', () =>
    withModel(
      () => text('a'),
      async (model) => {
        for (const said of ['1', '2', '3']) await post(model, mainBody(said));
        expect(model.requests.map(({ userText }) => userText)).toEqual(['2', '3']);
      },
      { maxKeptRequests: 2 },
    ));

  test('is passed to a callback before the answer', async () => {
    const seen: string[] = [];
    await withModel(
      () => text(`after ${seen.length}`),
      async (model) => {
        expect(await jsonOf(await post(model, mainBody('hi')))).toMatchObject({
          content: [{ text: 'after 1' }],
        });
      },
      { onRequest: (request) => seen.push(request.userText) },
    );
    expect(seen).toEqual(['hi']);
  });

  test('can be awaited, before and after a request arrives', () =>
    withModel([text('a')], async (model) => {
      const isHello = (request: { userText: string }) => request.userText === 'hello';
      const before = model.waitForRequest(isHello);
      await post(model, mainBody('hello'));
      expect(await before).toBe(await model.waitForRequest(isHello));
    }));
});
