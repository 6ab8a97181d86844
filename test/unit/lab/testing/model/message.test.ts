import { describe, expect, test } from 'vitest';
import { buildError, buildMessage } from '../../../../../src/lab/testing/model/message.js';
import { reply, text, thinking, toolUse } from '../../../../../src/lab/testing/model/replies.js';

const makeId = (prefix: string) => `${prefix}_1`;

describe('buildMessage', () => {
  test('stops for a tool if it calls one, and at the end of the turn otherwise', () => {
    expect(buildMessage(reply(text('a')), 'm', makeId).stop_reason).toBe('end_turn');
    expect(buildMessage(reply([text('a'), toolUse('T')]), 'm', makeId).stop_reason).toBe('tool_use');
    expect(buildMessage(reply(text('a'), { stopReason: 'refusal' }), 'm', makeId).stop_reason).toBe(
      'refusal',
    );
  });

  test('uses the given numbers and makes up the others', () => {
    const { usage } = buildMessage(reply(text('a'), { usage: { input_tokens: 7 } }), 'm', makeId);
    expect(usage).toEqual({
      input_tokens: 7,
      output_tokens: expect.any(Number),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
    expect(usage.output_tokens).toBeGreaterThan(0);
  });

  test('gives tool calls an id and thinking a signature, and keeps existing ones', () => {
    const blocks = [toolUse('T', { a: 1 }), toolUse('T', {}, 'mine'), thinking('hm')];
    expect(buildMessage(reply(blocks), 'm', makeId).content).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'T', input: { a: 1 } },
      { type: 'tool_use', id: 'mine', name: 'T', input: {} },
      { type: 'thinking', thinking: 'hm', signature: expect.stringMatching(/.+/) },
    ]);
  });
});

describe('buildError', () => {
  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
    [418, 'invalid_request_error'],
    [599, 'api_error'],
  ])('status %d has the type %s', (status, type) => {
    expect(buildError(status)).toMatchObject({ type: 'error', error: { type } });
  });

  test('has the given message', () => {
    expect(buildError(400, 'my_type', 'my words')).toEqual({
      type: 'error',
      error: { type: 'my_type', message: 'my words' },
    });
  });
});
