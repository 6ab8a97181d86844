import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSideCall, readRequest } from '../../../../../src/lab/testing/model/request.js';
import { mainBody, modelRequest, toolResultMessage } from '../../../../support/model-requests.js';

const raw = { method: 'POST', path: '/v1/messages', headers: {}, body: {}, size: 0 };

describe('readRequest', () => {
  test('reads the model, the tools, the stream flag and the length of the system prompt', () => {
    const request = modelRequest(mainBody('hi', { stream: true, tools: [{ name: 'A' }, { type: 'web' }] }));
    expect(request).toMatchObject({
      model: 'claude-sonnet-4-5',
      stream: true,
      maxTokens: 32_000,
      toolNames: ['A', 'web'],
      systemLength: 'a system prompt'.length,
    });
  });

  test('keeps other fields of the body, but neither the system prompt nor the tools', () => {
    const request = modelRequest(mainBody('hi', { temperature: 1, thinking: { type: 'adaptive' } }));
    expect(request.parameters).toEqual({ temperature: 1, thinking: { type: 'adaptive' } });
  });

  test('uses the text of the last user message, not of a later system message', () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'reply' },
      { role: 'user', content: [{ type: 'text', text: 'second' }] },
      { role: 'system', content: [{ type: 'text', text: 'an environment' }] },
    ];
    expect(modelRequest(mainBody('', { messages })).userText).toBe('second');
  });

  test('removes reminders from the user text, as blocks and inside one', () => {
    const content = [
      { type: 'text', text: '<system-reminder>\nmind\nthis\n</system-reminder>\n' },
      {
        type: 'text',
        text: '<system-reminder>a</system-reminder>\nhello<system-reminder>b</system-reminder>',
      },
    ];
    expect(modelRequest(mainBody('', { messages: [{ role: 'user', content }] })).userText).toBe('hello');
  });

  test('keeps the text of a message that is only a reminder', () => {
    const text = '<system-reminder>a task ended</system-reminder>';
    expect(modelRequest(mainBody(text)).userText).toBe(text);
  });

  test('reads tool results written as text and as blocks', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'plain', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [{ type: 'text', text: 'one' }, { type: 'image' }],
          },
        ],
      },
    ];
    expect(modelRequest(mainBody('', { messages })).toolResults).toEqual([
      { toolUseId: 'a', text: 'plain', isError: true },
      { toolUseId: 'b', text: 'one', isError: false },
    ]);
  });

  test.each([
    ['the end of an old user id', 'user_1_account__session_11111111-2222-4333-8444-555555555555'],
    ['the JSON in a new one', JSON.stringify({ session_id: '11111111-2222-4333-8444-555555555555' })],
  ])('finds the session in %s', (_, userId) => {
    const request = modelRequest(mainBody('hi', { metadata: { user_id: userId } }));
    expect(request.sessionId).toBe('11111111-2222-4333-8444-555555555555');
  });

  test.each([[undefined], [{}], [{ user_id: 'somebody' }], [{ user_id: '{"other":1}' }]])(
    'finds no session in %j',
    (metadata) => {
      expect(modelRequest(mainBody('hi', { metadata })).sessionId).toBeUndefined();
    },
  );

  test('drops headers that carry secrets and keeps the others', () => {
    const headers = {
      'x-api-key': 'secret',
      authorization: 'Bearer secret',
      'proxy-authorization': 'secret',
      cookie: 'secret',
      'user-agent': 'a-cli/1',
    };
    expect(readRequest({ ...raw, headers }).headers).toEqual({ 'user-agent': 'a-cli/1' });
  });

  test('reads any body without throwing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(mainBody(''))), fc.jsonValue()), (body) => {
        const request = readRequest({ ...raw, body });
        expect(typeof request.userText).toBe('string');
      }),
    );
  });

  test('has no results and the user text if there are none', () => {
    const messages = [toolResultMessage('earlier'), { role: 'user', content: 'now' }];
    expect(modelRequest(mainBody('', { messages }))).toMatchObject({ userText: 'now', toolResults: [] });
  });
});

const yes = () => true;

describe('isSideCall', () => {
  test('a request with tools is the conversation, even on a small model', () => {
    expect(isSideCall(modelRequest(mainBody('hi')))).toBe(false);
    expect(isSideCall(modelRequest(mainBody('hi', { model: 'claude-haiku-4-5' })))).toBe(false);
  });

  test.each([[[]], [undefined]])('a request of a CLI with tools %j is a side call', (tools) => {
    expect(isSideCall(modelRequest(mainBody('Warmup', { tools })))).toBe(true);
  });

  test('a warm-up is a side call even if it offers tools', () => {
    expect(isSideCall(modelRequest(mainBody('Warmup')))).toBe(true);
    expect(isSideCall(modelRequest(mainBody('Warmup, please')))).toBe(false);
  });

  test('a request for one token is a probe, whatever it offers', () => {
    expect(isSideCall(modelRequest(mainBody('quota', { max_tokens: 1 })), yes)).toBe(true);
  });

  test('a request without tools is the conversation if the script waits for its text', () => {
    expect(isSideCall(modelRequest(mainBody('hi', { tools: [] })), yes)).toBe(false);
  });

  test('a small model without tools is a side call even if its text matches', () => {
    const request = modelRequest(mainBody('hi', { tools: [], model: 'claude-haiku-4-5' }));
    expect(isSideCall(request, yes)).toBe(true);
  });

  test('a client that is not a CLI makes no side calls', () => {
    expect(isSideCall(modelRequest(mainBody('hi', { tools: [], metadata: undefined })))).toBe(false);
  });
});
