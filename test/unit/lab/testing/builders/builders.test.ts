import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assistantApiError,
  assistantText,
  assistantThinking,
  assistantToolUse,
} from '../../../../../src/lab/testing/builders/assistant.js';
import { BUILDER_SESSION_ID } from '../../../../../src/lab/testing/builders/identity.js';
import { resultError, resultSuccess } from '../../../../../src/lab/testing/builders/result.js';
import { blockEvents, pieces, streamEvent } from '../../../../../src/lab/testing/builders/stream.js';
import { rateLimitEvent, systemInit } from '../../../../../src/lab/testing/builders/system.js';
import { interruptNote, toolResult, userMessage } from '../../../../../src/lab/testing/builders/user.js';
import { checkFrame } from '../../../../../src/wire/protocol/catalog/check.schemas.js';

const built = {
  assistantText: assistantText('hello'),
  assistantThinking: assistantThinking('hm'),
  assistantToolUse: assistantToolUse('Bash', { command: 'ls' }),
  assistantApiError: assistantApiError('API Error: 500', 'server_error'),
  toolResult: toolResult('toolu_1', 'a b', { isError: false }),
  userMessage: userMessage('hello', { isReplay: true }),
  interruptNote: interruptNote('tool'),
  systemInit: systemInit(),
  rateLimitEvent: rateLimitEvent(),
  resultSuccess: resultSuccess('done'),
  resultError: resultError('error_max_turns'),
  streamEvent: streamEvent({ type: 'message_stop' }),
};

describe('message builders', () => {
  test.each(Object.entries(built))('%s matches the catalog', (_, message) => {
    expect(checkFrame(message, { from: 'cli' })).toEqual([]);
    expect(message).toMatchObject({
      session_id: BUILDER_SESSION_ID,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('accept overrides, and never give two messages the same uuid', () => {
    expect(resultSuccess('x', { is_error: true, uuid: 'mine' })).toMatchObject({
      is_error: true,
      uuid: 'mine',
    });
    expect(assistantText('a').uuid).not.toBe(assistantText('a').uuid);
  });

  test('deltas add up to the block', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, length) => {
        expect(pieces(text, length).join('')).toBe(text);
        const events = blockEvents({ type: 'text', text }, 0, length);
        expect(events[0]).toEqual({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        });
      }),
    );
    const [, ...deltas] = blockEvents(
      { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
      0,
      4,
    );
    const json = deltas.map(({ delta }) => (delta as { partial_json: string }).partial_json).join('');
    expect(JSON.parse(json)).toEqual({ command: 'ls' });
  });
});
