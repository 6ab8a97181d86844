import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify, decodeLine, isObject, objectsIn } from '../../../../src/wire/protocol/frames.js';

const kindOf = (value: unknown) => decodeLine(JSON.stringify(value)).kind;

describe('decodeLine', () => {
  test.each([
    ['', 'an empty line'],
    ['   ', 'an empty line'],
    ['hello', 'not JSON'],
    ['{"type":"assistant"', 'not JSON'],
    ['null', 'JSON, but null and not an object'],
    ['42', 'JSON, but 42 and not an object'],
    ['[]', 'JSON, but an array and not an object'],
    ['"text"', 'JSON, but "text" and not an object'],
  ])('calls %j noise', (line, problem) => {
    expect(decodeLine(line)).toEqual({ kind: 'noise', line, problem });
  });

  test('reads a request with all its keys', () => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', future_key: [1] };
    const line = JSON.stringify({ type: 'control_request', request_id: 'r1', request });
    expect(decodeLine(line)).toEqual({ kind: 'request', id: 'r1', body: request });
  });

  test('reads a plain ack, which has no response key, as a success without a value', () => {
    const raw = { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } };
    expect(classify(raw)).toEqual({ kind: 'success', id: 'r1', value: undefined, beside: {} });
  });

  test('keeps the keys next to the response in the envelope', () => {
    const pending = [{ type: 'control_request', request_id: 'p', request: { subtype: 'can_use_tool' } }];
    const response = {
      subtype: 'success',
      request_id: 'r1',
      response: { a: 1 },
      pending_permission_requests: pending,
    };
    expect(classify({ type: 'control_response', response })).toEqual({
      kind: 'success',
      id: 'r1',
      value: { a: 1 },
      beside: { pending_permission_requests: pending },
    });
  });

  test('reads an error answer with its code', () => {
    const response = { subtype: 'error', request_id: 'r1', error: 'no', error_code: 'bypass_disabled' };
    expect(classify({ type: 'control_response', response })).toEqual({
      kind: 'refusal',
      id: 'r1',
      error: 'no',
      errorCode: 'bypass_disabled',
      beside: {},
    });
  });

  test('an error answer without a text is still an error answer', () => {
    const response = { subtype: 'error', request_id: 'r1' };
    expect(classify({ type: 'control_response', response })).toMatchObject({ kind: 'refusal', id: 'r1' });
  });

  test('reads a cancel and a keep-alive', () => {
    expect(classify({ type: 'control_cancel_request', request_id: 'c' })).toEqual({
      kind: 'cancel',
      id: 'c',
    });
    expect(classify({ type: 'keep_alive' })).toEqual({ kind: 'keep-alive' });
  });

  test.each([
    [{ type: 'control_request' }, undefined],
    [{ type: 'control_request', request_id: 'x' }, 'x'],
    [{ type: 'control_request', request_id: 'x', request: null }, 'x'],
    [{ type: 'control_request', request_id: 'x', request: {} }, 'x'],
    [{ type: 'control_request', request_id: 7, request: { subtype: 'a' } }, undefined],
    [{ type: 'control_response' }, undefined],
    [{ type: 'control_response', response: [] }, undefined],
    [{ type: 'control_response', response: { subtype: 'success' } }, undefined],
    [{ type: 'control_response', response: { subtype: 'maybe', request_id: 'x' } }, 'x'],
    [{ type: 'control_cancel_request' }, undefined],
  ])('calls the control frame %j broken, with its id if it has one', (raw, id) => {
    expect(classify(raw)).toMatchObject({ kind: 'broken', type: raw.type, id, raw });
  });

  test.each([
    [{ type: 'assistant', message: {} }],
    [{ type: 'from_the_future', x: 1 }],
    [{ no_type: true }],
    [{ type: 7 }],
    [{}],
  ])('passes %j on as a message, unchanged', (raw) => {
    expect(classify(raw)).toEqual({ kind: 'message', message: raw });
  });

  test('tolerates CRLF line ends', () => {
    expect(decodeLine('{"type":"x"}\r')).toEqual({ kind: 'message', message: { type: 'x' } });
  });

  test('never throws, and never shows a control frame as a message', () => {
    const type = fc.constantFrom(
      'control_request',
      'control_response',
      'control_cancel_request',
      'assistant',
      'x',
    );
    const frame = fc.record(
      { type, request_id: fc.anything(), request: fc.anything(), response: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          frame.map((value) => safeJson(value)),
        ),
        (line) => {
          const decoded = decodeLine(line);
          if (decoded.kind === 'message') expect(String(decoded.message.type)).not.toMatch(/^control_/);
        },
      ),
    );
  });

  test('each kind of object has exactly one outcome', () => {
    expect([{ type: 'user' }, { type: 'keep_alive' }, { type: 'control_request' }].map(kindOf)).toEqual([
      'message',
      'keep-alive',
      'broken',
    ]);
    expect([isObject(null), isObject([]), isObject({})]).toEqual([false, false, true]);
  });
});

test('reads the objects of a supposed list, and skips everything else', () => {
  expect(objectsIn([{ a: 1 }, null, 'text', [], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
  for (const odd of [undefined, null, 'text', { length: 1 }]) expect(objectsIn(odd)).toEqual([]);
});

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '{';
  }
}
